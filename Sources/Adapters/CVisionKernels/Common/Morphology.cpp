#include "Morphology.hpp"

#include <algorithm>
#include <cstring>

namespace rackfocus {

namespace {

/// Up to here, comparing all rows of a square is quicker than van Herk's blocks.
const int lowRadius = 3;

/// Values compared at a time.
const int lanes = 32;

TARGET_CLONES void minimum(const float *a, const float *b, int count, float *out) {
#pragma clang loop vectorize(assume_safety)
    for (int x = 0; x < count; x++)
        out[x] = b[x] < a[x] ? b[x] : a[x];
}

TARGET_CLONES void maximum(const float *a, const float *b, int count, float *out) {
#pragma clang loop vectorize(assume_safety)
    for (int x = 0; x < count; x++)
        out[x] = b[x] > a[x] ? b[x] : a[x];
}

TARGET_CLONES void minimumOfThree(const float *a, const float *b, const float *c, int count, float *out) {
#pragma clang loop vectorize(assume_safety)
    for (int x = 0; x < count; x++) {
        const float least = b[x] < a[x] ? b[x] : a[x];
        out[x] = c[x] < least ? c[x] : least;
    }
}

TARGET_CLONES void maximumOfThree(const float *a, const float *b, const float *c, int count, float *out) {
#pragma clang loop vectorize(assume_safety)
    for (int x = 0; x < count; x++) {
        const float most = b[x] > a[x] ? b[x] : a[x];
        out[x] = c[x] > most ? c[x] : most;
    }
}

/// Extremum of each two or three values; `out` may be `a`, and the others lie ahead of it in the same row.
struct Extremum {
    void (*ofTwo)(const float *a, const float *b, int count, float *out);
    void (*ofThree)(const float *a, const float *b, const float *c, int count, float *out);
};

const Extremum least = {minimum, minimumOfThree}, most = {maximum, maximumOfThree};

/// Both extrema of a run of rows, which are read once.
TARGET_CLONES void extrema(const float *const *rows, int count, int width, float *low, float *high) {
    int x = 0;
    for (; x + lanes <= width; x += lanes) {
        float lowest[lanes], highest[lanes];
        std::memcpy(lowest, rows[0] + x, sizeof lowest);
        std::memcpy(highest, lowest, sizeof highest);
        for (int k = 1; k < count; k++)
            for (int i = 0; i < lanes; i++) {
                const float value = rows[k][x + i];
                lowest[i] = value < lowest[i] ? value : lowest[i];
                highest[i] = value > highest[i] ? value : highest[i];
            }
        std::memcpy(low + x, lowest, sizeof lowest);
        std::memcpy(high + x, highest, sizeof highest);
    }
    for (; x < width; x++) {
        float lowest = rows[0][x], highest = lowest;
        for (int k = 1; k < count; k++) {
            const float value = rows[k][x];
            lowest = value < lowest ? value : lowest;
            highest = value > highest ? value : highest;
        }
        low[x] = lowest;
        high[x] = highest;
    }
}

/// The extremum of each window of `side` values of a row, whose ends lie padded around it.
void filterRow(float *columns, int width, int radius, const Extremum &extremum, float *out) {
    const int side = 2 * radius + 1;
    float *padded = columns - radius;
    std::fill_n(padded, radius, columns[0]);
    std::fill_n(columns + width, radius, columns[width - 1]);
    int span = 1;
    for (; 3 * span < side; span *= 2)
        extremum.ofTwo(padded, padded + span, width + side - 2 * span, padded);
    extremum.ofThree(padded, padded + std::min(span, side - span), padded + side - span, width, out);
}

void filterSquare(PlaneView<const float> map, int radius, const Extremum &extremum, Plane<float> &out) {
    const int width = map.width, side = 2 * radius + 1;
    // Rows and columns beyond the border repeat it, which adds no value to a window.
    const auto row = [&](int y) { return map.row(std::clamp(y, 0, map.height - 1)); };
    Plane<float> suffixes;
    suffixes.resize(width, side);
    AlignedVector<float> prefix(static_cast<size_t>(width)), padded(static_cast<size_t>(width + 2 * radius));
    float *columns = padded.data() + radius;
    out.resize(width, map.height);
    for (int y = 0; y < map.height; y++) {
        // The window of row y is the rest of a block of `side` rows and the first `i` rows of the next block.
        const int i = y % side;
        const float *last = row(y + radius);
        if (i == 0) {
            std::copy_n(last, width, suffixes.row(side - 1));
            for (int j = side - 2; j >= 0; j--)
                extremum.ofTwo(suffixes.row(j + 1), row(y - radius + j), width, suffixes.row(j));
            std::copy_n(suffixes.row(0), width, columns);
        } else {
            if (i == 1)
                std::copy_n(last, width, prefix.data());
            else
                extremum.ofTwo(prefix.data(), last, width, prefix.data());
            extremum.ofTwo(prefix.data(), suffixes.row(i), width, columns);
        }
        filterRow(columns, width, radius, extremum, out.row(y));
    }
}

/// Both extrema of a low square: its few rows are compared at each step, with no memory of those above.
void filterLowSquare(PlaneView<const float> map, int radius, Plane<float> &low, Plane<float> &high) {
    const int width = map.width, side = 2 * radius + 1;
    AlignedVector<float> padded(static_cast<size_t>(2 * (width + 2 * radius)));
    float *lows = padded.data() + radius, *highs = lows + width + 2 * radius;
    const float *rows[2 * lowRadius + 1];
    low.resize(width, map.height);
    high.resize(width, map.height);
    for (int y = 0; y < map.height; y++) {
        for (int k = 0; k < side; k++)
            rows[k] = map.row(std::clamp(y - radius + k, 0, map.height - 1));
        extrema(rows, side, width, lows, highs);
        filterRow(lows, width, radius, least, low.row(y));
        filterRow(highs, width, radius, most, high.row(y));
    }
}

} // namespace

void erodeAndDilate(PlaneView<const float> map, int radius, Plane<float> &low, Plane<float> &high) {
    if (radius <= lowRadius)
        return filterLowSquare(map, radius, low, high);
    filterSquare(map, radius, least, low);
    filterSquare(map, radius, most, high);
}

void dilate(PlaneView<const float> map, int radius, Plane<float> &out) { filterSquare(map, radius, most, out); }

} // namespace rackfocus

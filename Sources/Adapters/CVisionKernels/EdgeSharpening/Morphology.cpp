#include "Morphology.hpp"

#include <algorithm>
#include <cstring>

namespace rackfocus {

namespace {

/// Up to here, comparing all rows of a square is quicker than van Herk's blocks.
const int lowRadius = 3;

/// Values compared at a time.
const int lanes = 32;

/// Extremum of each pair of values; `out` may be `a`, and `b` lie ahead of it in the same row.
typedef void Extremum(const float *a, const float *b, int count, float *out);

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

/// Both extrema of a run of rows, which are read once.
TARGET_CLONES void extrema(const float *const *rows, int count, int width, float *low, float *high) {
    int x = 0;
    for (; x + lanes <= width; x += lanes) {
        float least[lanes], most[lanes];
        std::memcpy(least, rows[0] + x, sizeof least);
        std::memcpy(most, least, sizeof most);
        for (int k = 1; k < count; k++)
            for (int i = 0; i < lanes; i++) {
                const float value = rows[k][x + i];
                least[i] = value < least[i] ? value : least[i];
                most[i] = value > most[i] ? value : most[i];
            }
        std::memcpy(low + x, least, sizeof least);
        std::memcpy(high + x, most, sizeof most);
    }
    for (; x < width; x++) {
        float least = rows[0][x], most = least;
        for (int k = 1; k < count; k++) {
            const float value = rows[k][x];
            least = value < least ? value : least;
            most = value > most ? value : most;
        }
        low[x] = least;
        high[x] = most;
    }
}

/// The extremum of each window of `side` values of a row, whose ends lie padded around it.
void filterRow(float *columns, int width, int radius, Extremum extremum, float *out) {
    const int side = 2 * radius + 1;
    float *padded = columns - radius;
    std::fill_n(padded, radius, columns[0]);
    std::fill_n(columns + width, radius, columns[width - 1]);
    int span = 1;
    for (; 2 * span <= side; span *= 2)
        extremum(padded, padded + span, width + side - 2 * span, padded);
    extremum(padded, padded + side - span, width, out);
}

void filterSquare(PlaneView<const float> map, int radius, Extremum extremum, Plane<float> &out) {
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
                extremum(suffixes.row(j + 1), row(y - radius + j), width, suffixes.row(j));
            std::copy_n(suffixes.row(0), width, columns);
        } else {
            if (i == 1)
                std::copy_n(last, width, prefix.data());
            else
                extremum(prefix.data(), last, width, prefix.data());
            extremum(prefix.data(), suffixes.row(i), width, columns);
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
        filterRow(lows, width, radius, minimum, low.row(y));
        filterRow(highs, width, radius, maximum, high.row(y));
    }
}

} // namespace

void erodeAndDilate(PlaneView<const float> map, int radius, Plane<float> &low, Plane<float> &high) {
    if (radius <= lowRadius)
        return filterLowSquare(map, radius, low, high);
    filterSquare(map, radius, minimum, low);
    filterSquare(map, radius, maximum, high);
}

void dilate(PlaneView<const float> map, int radius, Plane<float> &out) { filterSquare(map, radius, maximum, out); }

} // namespace rackfocus

#include "Morphology.hpp"

#include <algorithm>

namespace rackfocus {

namespace {

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
        std::fill_n(padded.data(), radius, columns[0]);
        std::fill_n(columns + width, radius, columns[width - 1]);
        int span = 1;
        for (; 2 * span <= side; span *= 2)
            extremum(padded.data(), padded.data() + span, width + side - 2 * span, padded.data());
        extremum(padded.data(), padded.data() + side - span, width, out.row(y));
    }
}

} // namespace

void erode(PlaneView<const float> map, int radius, Plane<float> &out) { filterSquare(map, radius, minimum, out); }

void dilate(PlaneView<const float> map, int radius, Plane<float> &out) { filterSquare(map, radius, maximum, out); }

} // namespace rackfocus

#include "SlidingExtrema.hpp"

#include <algorithm>

namespace rackfocus {

namespace {

/// Extrema of 2 `radius` + 1 rows; the first and the last row count `radius` times more. `rows` is scratch memory for `height` + 2 `radius` rows;
/// with each step a row stands for twice as many.
TARGET_CLONES void filterColumns(
    const float *in, float *out, std::ptrdiff_t inStride, std::ptrdiff_t outStride, int height, int width, int radius, bool isMaximum, float *rows,
    std::ptrdiff_t rowStride) {
    const auto row = [&](int y) __attribute__((always_inline)) { return rows + y * rowStride; };
    const auto run = [&](auto pick) __attribute__((always_inline)) {
        for (int y = 0; y < height + 2 * radius; y++) {
            const int from = y < radius ? 0 : (y - radius < height ? y - radius : height - 1);
            for (int x = 0; x < width; x++)
                row(y)[x] = in[from * inStride + x];
        }
        int span = 1;
        for (; 2 * span <= 2 * radius + 1; span *= 2)
            for (int y = 0; y + span < height + 2 * radius; y++)
#pragma clang loop vectorize(assume_safety)
                for (int x = 0; x < width; x++)
                    row(y)[x] = pick(row(y)[x], row(y + span)[x]);
        for (int y = 0; y < height; y++)
#pragma clang loop vectorize(assume_safety)
            for (int x = 0; x < width; x++)
                out[y * outStride + x] = pick(row(y)[x], row(y + 2 * radius + 1 - span)[x]);
    };
    if (isMaximum)
        run([](float a, float b) __attribute__((always_inline)) { return a > b ? a : b; });
    else
        run([](float a, float b) __attribute__((always_inline)) { return a < b ? a : b; });
}

/// The same along a row, in place; `padded` is scratch memory for `width` + 2 `radius` values.
TARGET_CLONES void filterRow(float *values, int width, int radius, bool isMaximum, float *padded) {
    const auto run = [&](auto pick) __attribute__((always_inline)) {
        for (int x = 0; x < radius; x++) {
            padded[x] = values[0];
            padded[radius + width + x] = values[width - 1];
        }
        for (int x = 0; x < width; x++)
            padded[radius + x] = values[x];
        int span = 1, count = width + 2 * radius;
        for (; 2 * span <= 2 * radius + 1; span *= 2)
#pragma clang loop vectorize(assume_safety)
            for (int x = 0; x < count - span; x++)
                padded[x] = pick(padded[x], padded[x + span]);
#pragma clang loop vectorize(assume_safety)
        for (int x = 0; x < width; x++)
            values[x] = pick(padded[x], padded[x + 2 * radius + 1 - span]);
    };
    if (isMaximum)
        run([](float a, float b) __attribute__((always_inline)) { return a > b ? a : b; });
    else
        run([](float a, float b) __attribute__((always_inline)) { return a < b ? a : b; });
}

} // namespace

void SlidingExtrema::filter(PlaneView<const float> map, int radius, bool isMaximum, Plane<float> &out) {
    // As many columns as stay in the cache from the first row to the last.
    const int block = 64;
    out.resize(map.width, map.height);
    rows.resize(std::max(static_cast<size_t>(map.height + 2 * radius) * block, static_cast<size_t>(map.width + 2 * radius)));
    for (int x = 0; x < map.width; x += block)
        filterColumns(
            map.data + x, out.row(0) + x, map.stride, out.width, map.height, std::min(block, map.width - x), radius, isMaximum, rows.data(), block);
    for (int y = 0; y < map.height; y++)
        filterRow(out.row(y), map.width, radius, isMaximum, rows.data());
}

} // namespace rackfocus

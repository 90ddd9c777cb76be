#include "CLensKernels.h"
#include "TargetClones.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace {

const float most = std::numeric_limits<float>::max();

/// Columns that are looked at together.
typedef float Columns __attribute__((vector_size(64)));
const int lanes = sizeof(Columns) / sizeof(float);

/// Extremes of one column or of several side by side: the five values in the order of `rf_tile_extremes`, `pitch` apart.
template <typename Value> __attribute__((always_inline)) inline void findExtremes(
    const float *map, ptrdiff_t stride, int height, float focus, float slight, float *extremes, ptrdiff_t pitch) {
    const float blurred = focus - slight;
    const Value none = Value{} + most;
    Value low = none, high = -none, closestFar = -none, closestNear = none, leastBlurredFar = -none;
    for (int y = 0; y < height; y++) {
        Value value;
        std::memcpy(&value, map + y * stride, sizeof value);
        low = value < low ? value : low;
        high = value > high ? value : high;
        closestFar = ((value > closestFar) & (value < focus)) ? value : closestFar;
        closestNear = ((value < closestNear) & (value >= focus)) ? value : closestNear;
        leastBlurredFar = ((value > leastBlurredFar) & (value < blurred)) ? value : leastBlurredFar;
    }
    const Value found[5] = {low, high, closestFar, closestNear, leastBlurredFar};
    for (int i = 0; i < 5; i++)
        std::memcpy(extremes + i * pitch, &found[i], sizeof found[i]);
}

TARGET_CLONES void findColumnExtremes(const float *map, ptrdiff_t stride, int height, float focus, float slight, float *extremes, ptrdiff_t pitch) {
    findExtremes<Columns>(map, stride, height, focus, slight, extremes, pitch);
}

TARGET_CLONES void countRow(const float *row, int width, float focus, float slight, float near, float far, int *inFront, int *behind) {
    int front = 0, back = 0;
    for (int x = 0; x < width; x++) {
        const float apart = row[x] - focus;
        front += (apart > slight) & (apart < near);
        back += (apart < -slight) & (apart > -far);
    }
    *inFront += front;
    *behind += back;
}

} // namespace

extern "C" void rf_find_tile_extremes(
    const float *map, ptrdiff_t stride, int width, int height, const int *spans, int count, float focus, float slight, float *scratch,
    rf_tile_extremes *tiles) {
    // The last columns are looked at with some before them once more; a map too narrow for that, one by one.
    for (int x = 0; width >= lanes && x < width; x += lanes) {
        const int first = std::min(x, width - lanes);
        findColumnExtremes(map + first, stride, height, focus, slight, scratch + first, width);
    }
    for (int x = 0; width < lanes && x < width; x++)
        findExtremes<float>(map + x, stride, height, focus, slight, scratch + x, width);
    const float *low = scratch, *high = low + width, *closestFar = high + width, *closestNear = closestFar + width, *blurred = closestNear + width;
    for (int i = 0; i < count; i++) {
        rf_tile_extremes tile = {most, -most, -most, most, -most};
        for (int x = spans[2 * i]; x < spans[2 * i + 1]; x++) {
            tile.low = std::min(tile.low, low[x]);
            tile.high = std::max(tile.high, high[x]);
            tile.closest_far = std::max(tile.closest_far, closestFar[x]);
            tile.closest_near = std::min(tile.closest_near, closestNear[x]);
            tile.least_blurred_far = std::max(tile.least_blurred_far, blurred[x]);
        }
        tiles[i] = tile;
    }
}

extern "C" void rf_count_slightly_blurred(
    const float *map, ptrdiff_t stride, int width, int height, float focus, float slight, float near, float far, int *in_front, int *behind) {
    *in_front = *behind = 0;
    for (int y = 0; y < height; y++)
        countRow(map + y * stride, width, focus, slight, near, far, in_front, behind);
}

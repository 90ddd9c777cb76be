#include "RampSharpener.hpp"
#include "Morphology.hpp"
#include "StepSides.hpp"

#include <algorithm>
#include <cmath>

namespace rackfocus {

namespace {

/// Means of 3 x 3 values, mirrored beyond the border; `sums` has room for one more before and one after.
TARGET_CLONES void boxMeanRow(
    const float *__restrict above, const float *__restrict row, const float *__restrict below, int width, float *__restrict sums,
    float *__restrict out) {
    for (int x = 0; x < width; x++)
        sums[x + 1] = above[x] + row[x] + below[x];
    sums[0] = sums[width > 1 ? 2 : 1];
    sums[width + 1] = sums[width > 1 ? width - 1 : 1];
    for (int x = 0; x < width; x++)
        out[x] = (sums[x] + sums[x + 1] + sums[x + 2]) * (1.f / 9);
}

/// The larger of the differences to the right and down; none to the right of the last column.
TARGET_CLONES void gradientRow(const float *__restrict row, const float *__restrict below, float *__restrict out, int width) {
    for (int x = 0; x < width - 1; x++) {
        const float across = std::abs(row[x + 1] - row[x]), down = std::abs(below[x] - row[x]);
        out[x] = across > down ? across : down;
    }
    out[width - 1] = std::abs(below[width - 1] - row[width - 1]);
}

/// Mask of ramps 2...7 pixels wide (blurred edges): near a step, but neither a step of one pixel nor a slanted plane, which takes longer, up to the
/// map's border too, where half the window is seen.
TARGET_CLONES void findRamps(
    const float *__restrict low, const float *__restrict high, const float *__restrict steepest, const float *__restrict slope, float smallest,
    uint8_t *__restrict out, int width) {
    for (int x = 0; x < width; x++) {
        const float height = high[x] - low[x];
        out[x] = (height > smallest) & (steepest[x] < 0.4f * height) & (slope[x] > 0.14f * height);
    }
}

} // namespace

float percentileRange(PlaneView<const float> disparity, const PlaneView<const float> *trust, std::vector<float> &memory) {
    memory.clear();
    for (int y = 0; y < disparity.height; y += 2) {
        const float *value = disparity.row(y), *weight = trust ? trust->row(y) : nullptr;
        for (int x = 0; x < disparity.width; x += 2)
            if (weight == nullptr || weight[x] > 0)
                memory.push_back(value[x]);
    }
    if (memory.empty())
        return 0;
    const auto place = [&](size_t percent) { return memory.begin() + static_cast<std::ptrdiff_t>((memory.size() - 1) * percent / 100); };
    const auto low = place(2), high = place(98);
    std::nth_element(memory.begin(), high, memory.end());
    const float most = *high;
    std::nth_element(memory.begin(), low, high);
    return low == high ? 0 : most - *low;
}

void RampSharpener::steepestNearby(PlaneView<const float> map, int radius, Plane<float> &out) {
    steps.resize(map.width, map.height);
    for (int y = 0; y < map.height; y++)
        gradientRow(map.row(y), map.row(std::min(y + 1, map.height - 1)), steps.row(y), map.width);
    dilate(steps.view(), radius, out);
}

void RampSharpener::sharpen(PlaneView<float> disparity, PlaneView<const uint8_t> luma, float noise) {
    const StepSides::Window window{8, 2, 0.05f};
    erodeAndDilate(disparity, window.radius, low, high);
    const float smallest = std::max({smallestStep * percentileRange(disparity, nullptr, values), 8 * noise, 1e-6f});
    steepestNearby(disparity, window.radius, steepest);
    smooth.resize(disparity.width, disparity.height);
    values.resize(static_cast<size_t>(disparity.width) + 2);
    for (int y = 0; y < disparity.height; y++) {
        const auto row = [&](int y) { return disparity.row(reflected(y, disparity.height)); };
        boxMeanRow(row(y - 1), row(y), row(y + 1), disparity.width, values.data(), smooth.row(y));
    }
    // Smoothing brings in values from two pixels farther.
    steepestNearby(smooth.view(), window.radius - 2, slope);
    const StepSides sides(disparity, low.view(), high.view(), smallest, window);
    sharp.copy(disparity);
    ramps.resize(static_cast<size_t>(disparity.width));
    for (int y = 0; y < disparity.height; y++) {
        findRamps(low.row(y), high.row(y), steepest.row(y), slope.row(y), smallest, ramps.data(), disparity.width);
        for (int x = 0; x < disparity.width; x++)
            if (ramps[static_cast<size_t>(x)] != 0)
                sharp.at(x, y) = sides.side(luma, static_cast<float>(x), static_cast<float>(y), luma.at(x, y));
    }
    for (int y = 0; y < disparity.height; y++)
        std::copy_n(sharp.row(y), disparity.width, disparity.row(y));
}

} // namespace rackfocus

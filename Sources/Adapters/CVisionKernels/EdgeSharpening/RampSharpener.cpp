#include "RampSharpener.hpp"
#include "../Common/Morphology.hpp"
#include "SideWeights.hpp"

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

/// Window around a pixel: every second value within `radius` of it.
constexpr int radius = 8, stride = 2, side = 2 * radius / stride + 1;
/// Pixels that are looked at together.
constexpr int block = 16;
/// Weight of a pixel that is unlike.
constexpr float prior = 0.05f;

/// Means of the disparity of the side whose pixels look more like each of `block` pixels in a row, by joint bilateral weights. `values` and `lumas` are
/// the rows of the window where the first pixel is, its own in the middle; a luma below 0 is outside of the picture.
TARGET_CLONES void sidesOfBlock(
    const float *const *values, const float *const *lumas, const float *__restrict low, const float *__restrict high,
    const float *__restrict closeness, float *__restrict out) {
    const float *own = lumas[side / 2];
    float nearWeight[block] = {}, nearSum[block] = {}, farWeight[block] = {}, farSum[block] = {};
    for (int j = 0; j < side; j++) {
        for (int i = 0; i < side; i++) {
            const float *__restrict value = values[j] + i * stride - radius, *__restrict luma = lumas[j] + i * stride - radius;
            const float close = closeness[i] * closeness[j];
            for (int x = 0; x < block; x++) {
                const float height = high[x] - low[x], middle = low[x] + height / 2;
                const float all = likeness(luma[x] - own[x], prior) * close * certainty(value[x], middle, height);
                const float weight = luma[x] < 0 ? 0 : all, nearer = value[x] > middle ? weight : 0, farther = weight - nearer;
                nearWeight[x] += nearer;
                nearSum[x] += nearer * value[x];
                farWeight[x] += farther;
                farSum[x] += farther * value[x];
            }
        }
    }
    for (int x = 0; x < block; x++)
        out[x] = nearWeight[x] > farWeight[x] ? nearSum[x] / nearWeight[x] : farSum[x] / farWeight[x];
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

void RampSharpener::pad(PlaneView<const float> disparity, PlaneView<const uint8_t> luma) {
    const int width = disparity.width, height = disparity.height, padded = width + 2 * radius + block;
    paddedDisparity.resize(padded, height + 2 * radius);
    paddedLuma.resize(padded, height + 2 * radius);
    paddedDisparity.fill(0);
    paddedLuma.fill(-1);
    for (int y = 0; y < height; y++) {
        std::copy_n(disparity.row(y), width, paddedDisparity.row(y + radius) + radius);
        std::copy_n(luma.row(y), width, paddedLuma.row(y + radius) + radius);
    }
}

void RampSharpener::sharpen(PlaneView<float> disparity, PlaneView<const uint8_t> luma, float noise) {
    const int width = disparity.width, height = disparity.height;
    erodeAndDilate(disparity, radius, low, high);
    const float smallest = std::max({smallestStep * percentileRange(disparity, nullptr, values), 8 * noise, 1e-6f});
    steepestNearby(disparity, radius, steepest);
    smooth.resize(width, height);
    values.resize(static_cast<size_t>(width) + 2);
    for (int y = 0; y < height; y++) {
        const auto row = [&](int y) { return disparity.row(reflected(y, height)); };
        boxMeanRow(row(y - 1), row(y), row(y + 1), width, values.data(), smooth.row(y));
    }
    // Smoothing brings in values from two pixels farther.
    steepestNearby(smooth.view(), radius - 2, slope);
    pad(disparity, luma);
    float close[side];
    for (int i = 0; i < side; i++)
        close[i] = closeness(static_cast<float>(i * stride - radius), radius);
    ramps.assign(static_cast<size_t>(width + block), 0);
    for (int y = 0; y < height; y++) {
        findRamps(low.row(y), high.row(y), steepest.row(y), slope.row(y), smallest, ramps.data(), width);
        for (int x0 = 0; x0 < width; x0 += block) {
            const uint8_t *isRamp = ramps.data() + x0;
            if (std::find(isRamp, isRamp + block, 1) == isRamp + block)
                continue;
            const float *rows[side], *lumas[side];
            float lowest[block] = {}, highest[block] = {}, means[block];
            const int count = std::min(block, width - x0);
            std::copy_n(low.row(y) + x0, count, lowest);
            std::copy_n(high.row(y) + x0, count, highest);
            for (int j = 0; j < side; j++) {
                rows[j] = paddedDisparity.row(y + j * stride) + x0 + radius;
                lumas[j] = paddedLuma.row(y + j * stride) + x0 + radius;
            }
            sidesOfBlock(rows, lumas, lowest, highest, close, means);
            for (int x = 0; x < count; x++)
                if (isRamp[x] != 0)
                    disparity.at(x0 + x, y) = means[x];
        }
    }
}

} // namespace rackfocus

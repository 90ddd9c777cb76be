#include "WeightedModeFilter.hpp"
#include "../Common/Morphology.hpp"

#include <algorithm>
#include <cmath>

namespace rackfocus {

namespace {

/// Pixels worked on at once.
const int lanes = 16;
typedef float Lanes __attribute__((vector_size(4 * lanes)));
typedef Lanes UnalignedLanes __attribute__((aligned(4), may_alias));

const int radius = 6, stride = 2, side = 2 * radius / stride + 1;
/// Distance from a step within which a pixel chooses its side.
const int reach = 3;
/// Weight of a measured value within `reach` of a step.
const float fattenedWeight = 0.4f;
/// Difference of luma from which on pixels are not alike, and what one that is not alike counts.
const float largestDifference = 24, prior = 0.005f;

/// (By reference: by value vectors are not the same for every processor.)
__attribute__((always_inline)) inline const UnalignedLanes &load(const float *from) { return *reinterpret_cast<const UnalignedLanes *>(from); }

/// Windows of 16 neighbouring pixels: their top left corners in the padded planes, and the step's middle at each pixel.
struct Windows {
    const float *values, *lumas, *weights;
    std::ptrdiff_t stride;
    const float *low, *high;
};

/// Mode of 16 windows; the pixel's own value where that is on the mode's side.
TARGET_CLONES void selectMode(const Windows windows, const float *spatialWeights, float *out) {
    const std::ptrdiff_t centre = radius * windows.stride + radius;
    const Lanes own = load(windows.values + centre), luma = load(windows.lumas + centre);
    const Lanes low = load(windows.low), middle = low + (load(windows.high) - low) * 0.5f;
    Lanes all = Lanes{}, allSum = Lanes{}, near = Lanes{}, nearSum = Lanes{};
    for (int j = 0; j < side; j++)
        for (int i = j % 2; i < side; i += 2) {
            const std::ptrdiff_t at = stride * (j * windows.stride + i);
            const Lanes value = load(windows.values + at), difference = load(windows.lumas + at) - luma;
            // Tukey's biweight.
            const Lanes share = __builtin_elementwise_max(1 - difference * difference * (1 / (largestDifference * largestDifference)), Lanes{});
            const Lanes weight = (share * share + prior) * spatialWeights[j * side + i] * load(windows.weights + at);
            const Lanes product = weight * value, nothing = Lanes{};
            all += weight;
            allSum += product;
            near += value > middle ? weight : nothing;
            nearSum += value > middle ? product : nothing;
        }
    const Lanes far = all - near;
    const auto isNear = near > far;
    const Lanes mode = isNear ? nearSum / near : (allSum - nearSum) / far;
    // Of windows without weight nothing is known.
    const auto keeps = ((own > middle) == isNear) | (all <= 0);
    *reinterpret_cast<UnalignedLanes *>(out) = keeps ? own : mode;
}

} // namespace

void WeightedModeFilter::pad(PlaneView<const float> disparity, PlaneView<const float> trust, PlaneView<const uint8_t> luma, float smallest) {
    const int width = roundUp(disparity.width, lanes) + 2 * radius, height = disparity.height + 2 * radius;
    for (Plane<float> *each : {&values, &lumas, &weights}) {
        each->resize(width, height);
        each->fill(0);
    }
    for (int y = 0; y < disparity.height; y++) {
        std::copy_n(disparity.row(y), disparity.width, values.row(y + radius) + radius);
        std::copy_n(luma.row(y), disparity.width, lumas.row(y + radius) + radius);
        const float *lows = low.row(y), *highs = high.row(y), *trusts = trust.row(y);
        float *row = weights.row(y + radius) + radius;
        for (int x = 0; x < disparity.width; x++)
            row[x] = trusts[x] > 0 && highs[x] - lows[x] > smallest ? fattenedWeight : 1.f;
    }
}

void WeightedModeFilter::apply(PlaneView<float> disparity, PlaneView<const float> trust, PlaneView<const uint8_t> luma, float smallest) {
    erodeAndDilate(disparity, reach, low, high);
    pad(disparity, trust, luma, smallest);
    float spatialWeights[side * side];
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i++) {
            const float across = static_cast<float>(stride * i - radius), down = static_cast<float>(stride * j - radius);
            spatialWeights[j * side + i] = std::exp(-(across * across + down * down) / (radius * radius));
        }
    for (int y = 0; y < disparity.height; y++) {
        float *row = disparity.row(y);
        for (int x = 0; x < disparity.width; x += lanes) {
            const int count = std::min(lanes, disparity.width - x);
            float lows[lanes] = {}, highs[lanes] = {}, modes[lanes];
            std::copy_n(low.row(y) + x, count, lows);
            std::copy_n(high.row(y) + x, count, highs);
            const auto isNearStep = [&](int i) { return highs[i] - lows[i] > smallest; };
            bool isNeeded = false;
            for (int i = 0; i < lanes; i++)
                isNeeded |= isNearStep(i);
            if (!isNeeded)
                continue;
            selectMode({values.row(y) + x, lumas.row(y) + x, weights.row(y) + x, values.width, lows, highs}, spatialWeights, modes);
            for (int i = 0; i < count; i++)
                if (isNearStep(i))
                    row[x + i] = modes[i];
        }
    }
}

} // namespace rackfocus

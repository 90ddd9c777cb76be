#pragma once

#include "../Common/Plane.hpp"

#include <vector>

namespace rackfocus {

/// Minimum or maximum over a square window around each value: grey erosion and dilation.
///
/// Paper: the doubling of van Droogenbroeck and Talbot, "Fast computation of morphological operations with arbitrary structuring elements", 1996:
/// extrema of 2^k values from two of 2^(k-1).
/// Units: the map's; windows of 2 `radius` + 1 values, less at the border.
/// Cost: O(pixels * log radius).
/// Oracle: cv::erode and cv::dilate with a square.
/// Changed: columns in blocks that stay in the cache; 32-bit floats.
class SlidingExtrema {
public:
    void erode(PlaneView<const float> map, int radius, Plane<float> &out) { filter(map, radius, false, out); }
    void dilate(PlaneView<const float> map, int radius, Plane<float> &out) { filter(map, radius, true, out); }

private:
    std::vector<float> rows;

    void filter(PlaneView<const float> map, int radius, bool isMaximum, Plane<float> &out);
};

} // namespace rackfocus

#pragma once

#include "Plane.hpp"

namespace rackfocus {

// Grey erosion and dilation with a square of 2 `radius` + 1 values; of what lies beyond the border nothing counts.
//
// Papers: van Herk, "A fast algorithm for local minimum and maximum filters on rectangular and octagonal kernels", Pattern Recognition Letters 1992
// (columns: suffix and prefix extrema of blocks as high as the window); van Droogenbroeck and Talbot 1996 (rows: extrema of 2n values from two of n, the
// last from three).
// Cost: O(pixels * log radius), a row at a time: three comparisons a pixel down the columns, 2 to 5 along the rows. Up to a radius of 3, all rows of
// the square are compared down the columns, once for both extrema.
// Oracle: cv::morphologyEx, bit for bit: its processor time is 1.5 times as much or more, 2.4 times with a radius of 8.

/// Minimum and maximum over the square.
void erodeAndDilate(PlaneView<const float> map, int radius, Plane<float> &low, Plane<float> &high);

/// Maximum over the square.
void dilate(PlaneView<const float> map, int radius, Plane<float> &out);

} // namespace rackfocus

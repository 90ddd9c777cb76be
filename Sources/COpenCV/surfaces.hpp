#pragma once

#include <opencv2/core.hpp>

namespace rackfocus {

/// Takes away the ramp between two surfaces: each pixel of it goes to the side whose pixels of `luma` look more like its own.
void sharpen(cv::Mat &disparity, const cv::Mat &luma, float noise);

} // namespace rackfocus

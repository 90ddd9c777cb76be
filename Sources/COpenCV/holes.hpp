#pragma once

#include <opencv2/core.hpp>

namespace rackfocus {

/// Disparity without holes, spread along the edges of `luma`; where `trust` (0 or 1) is 0 nothing was measured.
///
/// What only one eye sees lies behind what hides it: a hole continues the second farthest of what surrounds it in eight directions.
cv::Mat filled(const cv::Mat &disparity, const cv::Mat &trust, const cv::Mat &luma);

} // namespace rackfocus

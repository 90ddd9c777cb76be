#pragma once

#include <opencv2/core.hpp>

namespace rackfocus {

/// Spreads two maps (32-bit floats) along the edges of `luma` at once: fast global smoothing (Min et al., TIP 2014) in three rounds.
///
/// `lambda` says how far they are spread, `sigma` which step of luma counts as an edge.
void smoothAlongEdges(const cv::Mat &luma, float lambda, float sigma, cv::Mat &first, cv::Mat &second);

} // namespace rackfocus

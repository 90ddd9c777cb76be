#pragma once

#include "smoother.hpp"

#include <opencv2/core.hpp>

#include <vector>

namespace rackfocus {

/// Makes disparity without holes; keeps its memory from map to map.
class HoleFiller {
public:
    /// Where `trust` (0 or 1) is 0 nothing was measured. The result stays valid until the next call.
    ///
    /// What only one eye sees lies behind what hides it: a hole continues the second farthest of what surrounds it in eight directions.
    const cv::Mat &fill(const cv::Mat &disparity, const cv::Mat &trust);
    /// Spreads the last result along the edges of a picture, in place.
    const cv::Mat &smooth(const cv::Mat &trust, const cv::Mat &luma);

private:
    EdgeSmoother smoother;
    cv::Mat whole, weight;
    /// The two smallest values that each place met so far.
    cv::Mat first, second;
    /// Carried from row to row: straight, from both corners, and along the row; with a place of padding.
    std::vector<float> straight, corners[2][2], beside;

    void sweep(const cv::Mat &disparity, const cv::Mat &trust, bool isDownwards);
};

} // namespace rackfocus

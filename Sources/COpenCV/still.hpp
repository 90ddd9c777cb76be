#pragma once

#include <opencv2/core.hpp>

#include <cstdint>
#include <vector>

namespace rackfocus {

/// A picture averaged over the frames in which it stood still, place by place: less noise, no trails.
class StillPicture {
public:
    /// The average with what came before; at most `keep` (0...1) of it is old. The result stays valid until the next call.
    const cv::Mat &average(const cv::Mat &luma, double keep);

    /// For how many frames each place has stood still: 0 where it just changed, at most `oldest`.
    cv::Mat age;
    int oldest = 0;

private:
    cv::Mat now, blurred, sum, picture;
    std::vector<uint16_t> sums;
};

} // namespace rackfocus

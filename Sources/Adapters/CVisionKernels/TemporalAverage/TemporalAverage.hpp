#pragma once

#include "../Common/Plane.hpp"

#include <cstdint>
#include <vector>

namespace rackfocus {

/// Motion-detecting temporal average of a grey picture, pixel by pixel: less noise, no trails.
///
/// Paper: the recursive filter of Dubois and Sabri, "Noise reduction in image sequences using motion-compensated temporal filtering", 1984, without
/// motion compensation: a pixel whose 5 x 5 mean drifts by more than 4 levels starts anew.
/// Units: levels 0...255; `age` in frames.
/// Cost: O(pixels), whatever the number of frames.
/// Oracle: cv::blur, cv::compare, cv::divide and cv::add on whole pictures.
/// Changed: the mean of as many frames as stood still, at most `oldest`, instead of a fixed share.
class TemporalAverage {
public:
    /// The average with what came before; at most `keep` (0...1) of it is old. The result stays valid until the next call.
    PlaneView<const uint8_t> average(PlaneView<const uint8_t> luma, double keep);

    /// For how many frames each pixel has stood still: 0 where it just changed, at most `oldest`.
    Plane<uint8_t> age;
    int oldest = 0;

private:
    /// 5 x 5 means of this frame, and of the one each pixel's average began with.
    Plane<uint8_t> means, lastMeans, picture;
    Plane<float> averages;
    std::vector<uint16_t> sums;
};

} // namespace rackfocus

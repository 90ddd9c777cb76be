#pragma once

#include <opencv2/core.hpp>

#include <vector>

namespace rackfocus {

/// How far what is trusted (all, where `trust` is empty) lies apart, from its 2nd percentile to its 98th; every second row and column tells.
float spread(const cv::Mat &disparity, const cv::Mat &trust, std::vector<float> &memory);

/// The least or the most of all within some pixels of each pixel (32-bit floats); keeps its memory from map to map.
class Surroundings {
public:
    void least(const cv::Mat &map, int reach, cv::Mat &out) { find(map, reach, false, out); }
    void most(const cv::Mat &map, int reach, cv::Mat &out) { find(map, reach, true, out); }

private:
    std::vector<float> rows;

    void find(const cv::Mat &map, int reach, bool isMost, cv::Mat &out);
};

/// Takes away the ramp between two surfaces: each pixel of it goes to the side whose pixels of `luma` look more like its own.
class Sharpener {
public:
    void sharpen(cv::Mat &disparity, const cv::Mat &luma, float noise);

private:
    Surroundings around;
    std::vector<float> values;
    std::vector<uint8_t> ramps;
    cv::Mat low, high, smooth, steps, jump, slope, sharp;
};

} // namespace rackfocus

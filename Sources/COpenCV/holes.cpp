#include "holes.hpp"
#include "door.hpp"
#include "smoother.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace rackfocus;

namespace {

/// The two smallest of the values met so far.
struct Farthest {
    float first = std::numeric_limits<float>::infinity(), second = std::numeric_limits<float>::infinity();

    void meet(float value) {
        second = std::min(second, std::max(first, value));
        first = std::min(first, value);
    }
};

/// One sweep over the picture, downwards from the left or upwards from the right: every hole meets the nearest trusted value in four directions.
void sweep(const cv::Mat &disparity, const cv::Mat &trust, std::vector<Farthest> &met, bool isDownwards) {
    const float none = std::numeric_limits<float>::infinity();
    const int width = disparity.cols, height = disparity.rows, step = isDownwards ? 1 : -1;
    // Carried from the row before: straight, and from both corners, with a cell of padding.
    std::vector<float> straight(static_cast<size_t>(width), none), fromBack(static_cast<size_t>(width) + 2, none), fromFront(fromBack), newBack(fromBack),
        newFront(fromBack);
    for (int j = 0; j < height; j++) {
        const int y = isDownwards ? j : height - 1 - j;
        const float *value = disparity.ptr<float>(y), *weight = trust.ptr<float>(y);
        float beside = none;
        for (int i = 0; i < width; i++) {
            const int x = isDownwards ? i : width - 1 - i;
            const size_t at = static_cast<size_t>(x);
            if (weight[x] > 0) {
                beside = straight[at] = newBack[at + 1] = newFront[at + 1] = value[x];
                continue;
            }
            newBack[at + 1] = fromBack[static_cast<size_t>(x + 1 - step)];
            newFront[at + 1] = fromFront[static_cast<size_t>(x + 1 + step)];
            Farthest &hole = met[static_cast<size_t>(y) * static_cast<size_t>(width) + at];
            hole.meet(beside);
            hole.meet(straight[at]);
            hole.meet(newBack[at + 1]);
            hole.meet(newFront[at + 1]);
        }
        std::swap(fromBack, newBack);
        std::swap(fromFront, newFront);
    }
}

/// A hole continues the second farthest of what surrounds it in eight directions.
void close(cv::Mat &disparity, const cv::Mat &trust) {
    std::vector<Farthest> met(disparity.total());
    sweep(disparity, trust, met, true);
    sweep(disparity, trust, met, false);
    for (int y = 0; y < disparity.rows; y++)
        for (int x = 0; x < disparity.cols; x++) {
            if (trust.at<float>(y, x) > 0)
                continue;
            const Farthest hole = met[static_cast<size_t>(y) * static_cast<size_t>(disparity.cols) + static_cast<size_t>(x)];
            disparity.at<float>(y, x) = std::isfinite(hole.second) ? hole.second : (std::isfinite(hole.first) ? hole.first : 0);
        }
}

/// Spreads values along the edges of the picture; what was filled in counts little.
void alignToEdges(cv::Mat &disparity, const cv::Mat &trust, const cv::Mat &luma) {
    const float lambda = 40, sigma = 4;
    cv::Mat weight = trust * 0.97f + 0.03f;
    disparity = disparity.mul(weight);
    smoothAlongEdges(luma, lambda, sigma, disparity, weight);
    cv::divide(disparity, weight, disparity);
}

} // namespace

namespace rackfocus {

cv::Mat filled(const cv::Mat &disparity, const cv::Mat &trust, const cv::Mat &luma) {
    cv::Mat whole = disparity.clone();
    close(whole, trust);
    alignToEdges(whole, trust, luma);
    return whole;
}

} // namespace rackfocus

extern "C" int rf_disparity_fill(float *values, const float *trust, const rf_image *guide) {
    return guarded([&] {
        const cv::Mat along = mat(guide), weight(along.size(), CV_32F, const_cast<float *>(trust));
        cv::Mat result(along.size(), CV_32F, values);
        filled(result, weight, along).copyTo(result, weight == 0);
    });
}

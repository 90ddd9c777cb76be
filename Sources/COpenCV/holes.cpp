#include "holes.hpp"
#include "door.hpp"
#include "fast.hpp"

#include <algorithm>
#include <limits>

using namespace rackfocus;

namespace {

const float none = std::numeric_limits<float>::infinity();

/// One row of a sweep: what is measured starts anew, a hole meets what comes from four directions. `corner` is where the row before has what comes
/// from behind, `other` what comes from ahead; both have moved by a place on the way.
FAST void meet(
    const float *__restrict value, const float *__restrict weight, const float *__restrict beside, float *__restrict straight,
    const float *__restrict corner, float *__restrict newCorner, const float *__restrict other, float *__restrict newOther, float *__restrict first,
    float *__restrict second, int width) {
    const auto least = [](float a, float b) __attribute__((always_inline)) { return a < b ? a : b; };
    const auto most = [](float a, float b) __attribute__((always_inline)) { return a > b ? a : b; };
    for (int x = 0; x < width; x++) {
        const bool isMeasured = weight[x] > 0;
        const float own = value[x], above = straight[x], behind = corner[x], ahead = other[x];
        straight[x] = isMeasured ? own : above;
        newCorner[x] = isMeasured ? own : behind;
        newOther[x] = isMeasured ? own : ahead;
        // The two least of two pairs and of what was met before.
        const float a = least(above, beside[x]), b = most(above, beside[x]), c = least(behind, ahead), d = most(behind, ahead);
        const float e = least(a, c), f = least(most(a, c), least(b, d));
        second[x] = least(most(first[x], e), least(second[x], f));
        first[x] = least(first[x], e);
    }
}

/// What was filled in counts little.
FAST void weigh(const float *__restrict trust, float *__restrict value, float *__restrict weight, int width) {
    for (int x = 0; x < width; x++) {
        weight[x] = trust[x] * 0.97f + 0.03f;
        value[x] *= weight[x];
    }
}

FAST void close(
    const float *__restrict value, const float *__restrict trust, const float *__restrict first, const float *__restrict second,
    float *__restrict out, int width) {
    for (int x = 0; x < width; x++) {
        const float met = second[x] < none ? second[x] : (first[x] < none ? first[x] : 0);
        out[x] = trust[x] > 0 ? value[x] : met;
    }
}

FAST void divide(float *__restrict value, const float *__restrict weight, int width) {
    for (int x = 0; x < width; x++)
        value[x] /= weight[x];
}

} // namespace

namespace rackfocus {

void HoleFiller::sweep(const cv::Mat &disparity, const cv::Mat &trust, bool isDownwards) {
    const int width = disparity.cols, height = disparity.rows, step = isDownwards ? 1 : -1;
    for (auto *each : {&straight, &corners[0][0], &corners[0][1], &corners[1][0], &corners[1][1], &beside})
        each->assign(static_cast<size_t>(width) + 2, none);
    for (int j = 0; j < height; j++) {
        const int y = isDownwards ? j : height - 1 - j;
        const float *value = disparity.ptr<float>(y), *weight = trust.ptr<float>(y);
        float last = none;
        float *const reached = beside.data();
        const auto go = [&](int x) { reached[x] = last = weight[x] > 0 ? value[x] : last; };
        if (isDownwards)
            for (int x = 0; x < width; x++)
                go(x);
        else
            for (int x = width - 1; x >= 0; x--)
                go(x);
        meet(
            value, weight, beside.data(), straight.data(), corners[0][0].data() + 1 - step, corners[0][1].data() + 1, corners[1][0].data() + 1 + step,
            corners[1][1].data() + 1, first.ptr<float>(y), second.ptr<float>(y), width);
        for (auto &corner : corners)
            std::swap(corner[0], corner[1]);
    }
}

const cv::Mat &HoleFiller::fill(const cv::Mat &disparity, const cv::Mat &trust) {
    for (cv::Mat *each : {&whole, &first, &second})
        each->create(disparity.size(), CV_32F);
    first.setTo(none);
    second.setTo(none);
    sweep(disparity, trust, true);
    sweep(disparity, trust, false);
    for (int y = 0; y < disparity.rows; y++)
        close(disparity.ptr<float>(y), trust.ptr<float>(y), first.ptr<float>(y), second.ptr<float>(y), whole.ptr<float>(y), whole.cols);
    return whole;
}

const cv::Mat &HoleFiller::smooth(const cv::Mat &trust, const cv::Mat &luma) {
    weight.create(whole.size(), CV_32F);
    for (int y = 0; y < whole.rows; y++)
        weigh(trust.ptr<float>(y), whole.ptr<float>(y), weight.ptr<float>(y), whole.cols);
    const float lambda = 40, sigma = 4;
    smoother.smooth(luma, lambda, sigma, whole, weight);
    for (int y = 0; y < whole.rows; y++)
        divide(whole.ptr<float>(y), weight.ptr<float>(y), whole.cols);
    return whole;
}

} // namespace rackfocus

extern "C" int rf_disparity_fill(float *values, const float *trust, const rf_image *guide) {
    return guarded([&] {
        const cv::Mat along = mat(guide), weight(along.size(), CV_32F, const_cast<float *>(trust));
        cv::Mat result(along.size(), CV_32F, values);
        HoleFiller filler;
        filler.fill(result, weight);
        filler.smooth(weight, along).copyTo(result, weight == 0);
    });
}

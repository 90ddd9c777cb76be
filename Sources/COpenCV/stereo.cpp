#include "door.hpp"
#include "semiglobal.hpp"
#include "still.hpp"

#include <opencv2/calib3d.hpp>

using namespace rackfocus;

struct rf_stereo {
    explicit rf_stereo(int range) : matcher(range) {}

    SemiGlobal matcher;
    StillPicture left, right;
};

namespace {

/// Islands smaller than this share of the picture are no surface.
const double island = 1.0 / 1500;

void distrustIslands(const cv::Mat &disparity, cv::Mat &trust) {
    cv::Mat fixed;
    disparity.convertTo(fixed, CV_16S, 16);
    fixed.setTo(-16, trust == 0);
    cv::filterSpeckles(fixed, -16, static_cast<int>(static_cast<double>(disparity.total()) * island), 16);
    trust.setTo(0, fixed == -16);
}

} // namespace

extern "C" int rf_stereo_open(int range, rf_stereo **stereo) {
    return guarded([&] { *stereo = new rf_stereo(range); });
}

extern "C" void rf_stereo_close(rf_stereo *stereo) { delete stereo; }

extern "C" int rf_stereo_match(rf_stereo *stereo, const rf_image *left, const rf_image *right, double keep, float *out, float *trusted) {
    return guarded([&] {
        const cv::Mat first = stereo->left.average(mat(left), keep), second = stereo->right.average(mat(right), keep);
        cv::Mat disparity(first.size(), CV_32F, out), trust(first.size(), CV_32F, trusted);
        stereo->matcher.match(first.data, second.data, first.cols, first.rows, out, trusted);
        distrustIslands(disparity, trust);
    });
}

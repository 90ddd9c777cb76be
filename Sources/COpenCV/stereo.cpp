#include "door.hpp"

#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/ximgproc/edge_filter.hpp>

using namespace rackfocus;

struct rf_stereo {
    cv::Ptr<cv::StereoSGBM> matcher;
    int range;
};

extern "C" int rf_stereo_open(int range, rf_stereo **stereo) {
    return guarded([&] {
        const int block = 3;
        auto opened = std::make_unique<rf_stereo>();
        opened->range = range;
        opened->matcher = cv::StereoSGBM::create(
            0, range, block, 8 * block * block, 32 * block * block, 1, 31, 8, 60, 1, cv::StereoSGBM::MODE_SGBM_3WAY);
        *stereo = opened.release();
    });
}

extern "C" void rf_stereo_close(rf_stereo *stereo) { delete stereo; }

extern "C" int rf_stereo_match(rf_stereo *stereo, const rf_image *left, const rf_image *right, float *out) {
    return guarded([&] {
        // SGBM leaves a strip as wide as its range blank on the left; a border that repeats gives it its chance.
        cv::Mat paddedLeft, paddedRight, fixed;
        cv::copyMakeBorder(mat(left), paddedLeft, 0, 0, stereo->range, 0, cv::BORDER_REPLICATE);
        cv::copyMakeBorder(mat(right), paddedRight, 0, 0, stereo->range, 0, cv::BORDER_REPLICATE);
        stereo->matcher->compute(paddedLeft, paddedRight, fixed);
        cv::Mat result(left->height, left->width, CV_32F, out);
        fixed(cv::Rect(stereo->range, 0, left->width, left->height)).convertTo(result, CV_32F, 1.0 / 16);
    });
}

extern "C" int rf_stereo_fill(
    const float *values, const float *weights, int width, int height, const rf_image *guide, double lambda, double sigma, float *out) {
    return guarded([&] {
        const cv::Mat small(height, width, CV_32F, const_cast<float *>(values)), trust(height, width, CV_32F, const_cast<float *>(weights));
        const cv::Mat along = mat(guide);
        cv::Mat weighted, weight, sum, total;
        cv::resize(small.mul(trust), weighted, along.size(), 0, 0, cv::INTER_LINEAR);
        cv::resize(trust, weight, along.size(), 0, 0, cv::INTER_LINEAR);
        auto filter = cv::ximgproc::createFastGlobalSmootherFilter(along, lambda, sigma);
        filter->filter(weighted, sum);
        filter->filter(weight, total);
        cv::Mat result(guide->height, guide->width, CV_32F, out);
        cv::divide(sum, total + 1e-6f, result);
    });
}

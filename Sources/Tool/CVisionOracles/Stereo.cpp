#include "CVisionOracles.h"
#include "ExceptionBoundary.hpp"
#include "SemiglobalMatching/SpeckleFilter.hpp"

#include <opencv2/calib3d.hpp>
#include <opencv2/ximgproc/disparity_filter.hpp>

#include <algorithm>

using namespace rackfocus;

namespace {

/// Share of the picture that the largest speckle has, as in SpeckleFilter.
const int speckleShare = 1500;
/// Values of cv::StereoSGBM per pixel.
const int subpixels = 16;

} // namespace

extern "C" int rf_oracle_stereo_match(const rf_image *left, const rf_image *right, int range, float *disparity, float *trust) {
    return catchingExceptions([&] {
        const int block = 3, area = block * block, speckle = left->width * left->height / speckleShare;
        const auto matcher = cv::StereoSGBM::create(0, range, block, 8 * area, 32 * area, 1, 63, 10, speckle, 1, cv::StereoSGBM::MODE_SGBM);
        cv::Mat found;
        matcher->compute(mat(left), mat(right), found);
        for (int y = 0; y < found.rows; y++)
            for (int x = 0; x < found.cols; x++) {
                const short value = found.at<short>(y, x);
                disparity[y * found.cols + x] = std::max(0.f, float(value) / subpixels);
                trust[y * found.cols + x] = value >= 0 ? 1 : 0;
            }
    });
}

extern "C" int rf_oracle_stereo_disparity(const rf_image *left, const rf_image *right, int range, float *disparity) {
    return catchingExceptions([&] {
        const int block = 3, area = block * block;
        cv::Mat first, second, there, back, found;
        cv::copyMakeBorder(mat(left), first, 0, 0, range, 0, cv::BORDER_REPLICATE);
        cv::copyMakeBorder(mat(right), second, 0, 0, range, 0, cv::BORDER_REPLICATE);
        const auto matcher = cv::StereoSGBM::create(0, range, block, 8 * area, 32 * area, 0, 63, 0, 0, 0, cv::StereoSGBM::MODE_SGBM);
        const auto filter = cv::ximgproc::createDisparityWLSFilter(matcher);
        matcher->compute(first, second, there);
        cv::ximgproc::createRightMatcher(matcher)->compute(second, first, back);
        filter->setLambda(8000);
        filter->setSigmaColor(1.5);
        filter->filter(there, first, found, back);
        cv::Mat out(left->height, left->width, CV_32F, disparity);
        found.colRange(range, found.cols).convertTo(out, CV_32F, 1.0 / subpixels);
    });
}

extern "C" void rf_kernel_remove_speckles(const float *disparity, int width, int height, float *trust) {
    thread_local SpeckleFilter filter;
    filter.apply(PlaneView<const float>(disparity, width, height), PlaneView<float>(trust, width, height));
}

extern "C" int rf_oracle_remove_speckles(int16_t *disparity, int width, int height, int16_t unknown) {
    return catchingExceptions([&] {
        thread_local cv::Mat memory;
        cv::Mat map(height, width, CV_16S, disparity);
        cv::filterSpeckles(map, unknown, width * height / speckleShare, subpixels, memory);
    });
}

#include "Common/Morphology.hpp"
#include "CVisionOracles.h"
#include "EdgeSharpening/RampSharpener.hpp"
#include "EdgeSharpening/WeightedModeFilter.hpp"
#include "ExceptionBoundary.hpp"
#include "FastGlobalSmoother/FastGlobalSmoother.hpp"

#include <opencv2/imgproc.hpp>
#include <opencv2/ximgproc/edge_filter.hpp>
#include <opencv2/ximgproc/weighted_median_filter.hpp>

#include <algorithm>
#include <vector>

using namespace rackfocus;

namespace {

cv::Mat mapOf(const float *values, int width, int height) { return cv::Mat(height, width, CV_32F, const_cast<float *>(values)); }

/// Weights of cv::ximgproc::jointBilateralFilter: window of 17 x 17, levels of luma, pixels.
const int window = 17;
const double levels = 12, pixels = 5;

void filterJointly(const rf_image *picture, const cv::Mat &values, cv::Mat &out) {
    cv::Mat guide;
    mat(picture).convertTo(guide, CV_32F);
    cv::ximgproc::jointBilateralFilter(guide, values, out, window, levels, pixels);
}

} // namespace

extern "C" void rf_kernel_smooth(const rf_image *guide, float lambda, float sigma, float *first, float *second) {
    thread_local FastGlobalSmoother smoother;
    smoother.smooth(
        lumaOf(guide), lambda, sigma, PlaneView<float>(first, guide->width, guide->height), PlaneView<float>(second, guide->width, guide->height));
}

extern "C" int rf_oracle_smooth(const rf_image *guide, float lambda, float sigma, float *first, float *second) {
    return catchingExceptions([&] {
        const auto filter = cv::ximgproc::createFastGlobalSmootherFilter(mat(guide), lambda, sigma, 0.25, 3);
        for (float *values : {first, second}) {
            cv::Mat out;
            filter->filter(mapOf(values, guide->width, guide->height), out);
            out.copyTo(mapOf(values, guide->width, guide->height));
        }
    });
}

extern "C" int rf_oracle_refine(const rf_image *picture, const float *values, const float *trust, float *out) {
    return catchingExceptions([&] {
        const cv::Mat map = mapOf(values, picture->width, picture->height), weights = mapOf(trust, picture->width, picture->height);
        const auto filter = cv::ximgproc::createFastGlobalSmootherFilter(mat(picture), 40, 4, 0.25, 3);
        cv::Mat sums, counts;
        filter->filter(map.mul(weights), sums);
        filter->filter(weights, counts);
        cv::divide(sums, cv::max(counts, 1e-6), mapOf(out, picture->width, picture->height));
    });
}

extern "C" void rf_kernel_extrema(const float *values, int width, int height, int radius, const float **minima, const float **maxima) {
    thread_local Plane<float> low, high;
    erodeAndDilate(PlaneView<const float>(values, width, height), radius, low, high);
    *minima = low.row(0);
    *maxima = high.row(0);
}

extern "C" int rf_oracle_extrema(const float *values, int width, int height, int radius, float *minima, float *maxima) {
    return catchingExceptions([&] {
        const cv::Mat map = mapOf(values, width, height),
                      square = cv::getStructuringElement(cv::MORPH_RECT, cv::Size(2 * radius + 1, 2 * radius + 1));
        cv::Mat low = mapOf(minima, width, height), high = mapOf(maxima, width, height);
        cv::morphologyEx(map, low, cv::MORPH_ERODE, square);
        cv::morphologyEx(map, high, cv::MORPH_DILATE, square);
    });
}

extern "C" void rf_kernel_sharpen(const rf_image *picture, float *values) {
    thread_local RampSharpener sharpener;
    sharpener.sharpen(PlaneView<float>(values, picture->width, picture->height), lumaOf(picture), 0);
}

extern "C" int rf_oracle_sharpen(const rf_image *picture, const float *values, float *out) {
    return catchingExceptions([&] {
        cv::Mat result = mapOf(out, picture->width, picture->height);
        filterJointly(picture, mapOf(values, picture->width, picture->height), result);
    });
}

extern "C" void rf_kernel_select_mode(const rf_image *picture, float *values) {
    thread_local WeightedModeFilter filter;
    const PlaneView<float> map(values, picture->width, picture->height);
    const std::vector<float> trust(map.count(), 1);
    std::vector<float> sorted;
    filter.apply(
        map, PlaneView<const float>(trust.data(), map.width, map.height), lumaOf(picture), smallestStep * percentileRange(map, nullptr, sorted));
}

extern "C" int rf_oracle_weighted_median(const rf_image *picture, const float *values, float *out) {
    return catchingExceptions([&] {
        const cv::Mat map = mapOf(values, picture->width, picture->height);
        double most = 0;
        cv::minMaxLoc(map, nullptr, &most);
        const double step = std::max(most, 1e-6) / 255;
        cv::Mat codes, found, result = mapOf(out, picture->width, picture->height);
        map.convertTo(codes, CV_8U, 1 / step);
        const int radius = 7;
        cv::ximgproc::weightedMedianFilter(mat(picture), codes, found, radius, 15);
        found.convertTo(result, CV_32F, step);
    });
}

extern "C" int rf_oracle_upsample(const float *values, const rf_image *picture, const rf_image *guide, float *out) {
    return catchingExceptions([&] {
        cv::Mat large, result = mapOf(out, guide->width, guide->height);
        cv::resize(mapOf(values, picture->width, picture->height), large, result.size(), 0, 0, cv::INTER_LINEAR);
        filterJointly(guide, large, result);
    });
}

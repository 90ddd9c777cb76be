#include "ExceptionBoundary.hpp"

#include <opencv2/imgproc.hpp>

using namespace rackfocus;

namespace {

/// Luma of 0...1.
cv::Mat unit(const rf_image *luma) {
    cv::Mat result;
    mat(luma).convertTo(result, CV_32F, 1.0 / 255);
    return result;
}

/// Sums over windows of 2 * radius + 1 pixels a side, cut at the border.
cv::Mat sums(const cv::Mat &values, int radius) {
    cv::Mat result;
    cv::boxFilter(values, result, CV_32F, cv::Size(2 * radius + 1, 2 * radius + 1), cv::Point(-1, -1), false, cv::BORDER_CONSTANT);
    return result;
}

/// Rows `top`..<`bottom` of a map upsampled to `size`.
cv::Mat upsampled(const cv::Mat &map, cv::Size size, int top, int bottom) {
    cv::Mat result;
    cv::resize(map, result, size, 0, 0, cv::INTER_LINEAR);
    return result.rowRange(top, bottom);
}

} // namespace

// He, Sun and Tang, "Guided image filtering", PAMI 2013, eq. 5, 6 and 8 with a grey guide I: in each window the mask is a I + b. He and Sun, "Fast guided
// filter", arXiv 1505.00996: a and b are those of the small picture, I is the large one. cv::ximgproc::guidedFilter of OpenCV 4.6 cannot do that.
extern "C" int rf_guided_upsample(
    const float *mask, const rf_image *picture, const rf_image *guide, int radius, float epsilon, int top, int bottom, float *out) {
    return catchingExceptions([&] {
        const cv::Mat values(picture->height, picture->width, CV_32F, const_cast<float *>(mask)), luma = unit(picture), large = unit(guide);
        const cv::Mat counts = sums(cv::Mat::ones(luma.size(), CV_32F), radius);
        const auto mean = [&](const cv::Mat &map) -> cv::Mat { return sums(map, radius) / counts; };
        const cv::Mat lumaMean = mean(luma), maskMean = mean(values);
        const cv::Mat variance = mean(luma.mul(luma)) - lumaMean.mul(lumaMean), covariance = mean(luma.mul(values)) - lumaMean.mul(maskMean);
        const cv::Mat slope = covariance / (cv::max(variance, 0) + epsilon), offset = maskMean - slope.mul(lumaMean);
        const auto rows = [&](const cv::Mat &map) { return upsampled(map, large.size(), top, bottom); };
        const cv::Mat soft = rows(mean(slope)).mul(large.rowRange(top, bottom)) + rows(mean(offset));
        // Doubled contrast leaves nothing of a far side; texture within an object, where all neighbours are 1, is no edge.
        cv::Mat inner;
        cv::erode(values, inner, cv::Mat());
        const cv::Mat result = cv::min(cv::max(cv::max(soft * 2 - 0.5, rows(inner)), 0), 1);
        result.copyTo(cv::Mat(guide->height, guide->width, CV_32F, out).rowRange(top, bottom));
    });
}

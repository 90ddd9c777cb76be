#include "ExceptionBoundary.hpp"

#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace rackfocus;

namespace {

/// Place of each pixel (x, y).
cv::Mat places(cv::Size size) {
    cv::Mat result(size, CV_32FC2);
    for (int y = 0; y < size.height; y++)
        for (int x = 0; x < size.width; x++)
            result.at<cv::Vec2f>(y, x) = {static_cast<float>(x), static_cast<float>(y)};
    return result;
}

cv::Mat flowOf(const float *flow, int width, int height) { return cv::Mat(height, width, CV_32FC2, const_cast<float *>(flow)); }

cv::Mat mapOf(const float *values, int width, int height) { return cv::Mat(height, width, CV_32F, const_cast<float *>(values)); }

cv::Mat warped(const cv::Mat &values, const cv::Mat &sources) {
    cv::Mat result;
    cv::remap(values, result, sources, cv::noArray(), cv::INTER_LINEAR, cv::BORDER_REPLICATE);
    return result;
}

double length(const cv::Vec2f &offset) { return std::hypot(offset[0], offset[1]); }

/// Place of each pixel in the earlier picture by the camera's affine motion alone, from every fourth that is not known; `noise` receives the
/// median residual in pixels.
cv::Mat sourcesByCamera(const cv::Mat &places, const cv::Mat &sources, const cv::Mat &known, double &noise) {
    std::vector<cv::Vec2f> from, to;
    for (int y = 2; y < places.rows; y += 4)
        for (int x = 2; x < places.cols; x += 4)
            if (known.at<float>(y, x) < 0.5f) {
                from.push_back(places.at<cv::Vec2f>(y, x));
                to.push_back(sources.at<cv::Vec2f>(y, x));
            }
    noise = 0;
    const cv::Mat affine = from.size() < 3 ? cv::Mat() : cv::estimateAffine2D(from, to, cv::noArray(), cv::LMEDS);
    if (affine.empty())
        return places;
    cv::Mat moved, result;
    cv::transform(from, moved, affine);
    cv::transform(places, result, affine);
    std::vector<double> residuals;
    for (size_t i = 0; i < to.size(); i++)
        residuals.push_back(length(to[i] - moved.at<cv::Vec2f>(static_cast<int>(i))));
    const auto middle = residuals.begin() + static_cast<std::ptrdiff_t>(residuals.size() / 2);
    std::nth_element(residuals.begin(), middle, residuals.end());
    noise = *middle;
    return result;
}

/// Values of 0...1 where `map` is `least`...`most`.
cv::Mat ramp(const cv::Mat &map, double least, double most) { return cv::min(cv::max((map - least) / (most - least), 0), 1); }

} // namespace

extern "C" int rf_residual_motion(const rf_image *earlier, const rf_image *picture, const float *flow, const float *known, float *out) {
    return catchingExceptions([&] {
        const int width = picture->width, height = picture->height;
        cv::Mat before, now;
        mat(earlier).convertTo(before, CV_32F);
        mat(picture).convertTo(now, CV_32F);
        const cv::Mat own = places(now.size()), sources = own + flowOf(flow, width, height);
        double noise = 0;
        const cv::Mat byCamera = sourcesByCamera(own, sources, mapOf(known, width, height), noise);
        const cv::Point middle(width / 2, height / 2);
        // A camera that pans leaves parallax behind, which no affine motion explains.
        const double pan = length(byCamera.at<cv::Vec2f>(middle) - own.at<cv::Vec2f>(middle));
        const double threshold = std::max({0.35, 4 * noise, 0.25 * pan});
        // A flow that explains the picture no better than the camera does is at fault.
        cv::Mat gain = cv::abs(warped(before, byCamera) - now) - cv::abs(warped(before, sources) - now);
        cv::blur(gain, gain, cv::Size(3, 3), cv::Point(-1, -1), cv::BORDER_REPLICATE);
        cv::Mat axes[2], residual;
        cv::split(sources - byCamera, axes);
        cv::magnitude(axes[0], axes[1], residual);
        const cv::Mat evidence = ramp(residual, threshold, 2 * threshold).mul(ramp(gain, 1.5, 5.5));
        evidence.copyTo(mapOf(out, width, height));
    });
}

extern "C" int rf_flow_warp(const float *values, const float *flow, int width, int height, float *out) {
    return catchingExceptions([&] {
        const cv::Mat sources = places(cv::Size(width, height)) + flowOf(flow, width, height);
        warped(mapOf(values, width, height), sources).copyTo(mapOf(out, width, height));
    });
}

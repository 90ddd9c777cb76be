#include "still.hpp"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace rackfocus {

/// How far the mean of 5 x 5 pixels may drift and still be the same: above the sensor's noise, below a shadow's edge.
static const int drift = 4;

const cv::Mat &StillPicture::average(const cv::Mat &luma, double keep) {
    oldest = keep >= 1 ? 50 : std::min(50, static_cast<int>(std::lround(keep / (1 - keep))));
    cv::Mat now;
    cv::blur(luma, now, cv::Size(5, 5));
    if (blurred.size() != luma.size() || oldest == 0) {
        luma.convertTo(sum, CV_32F);
        luma.copyTo(picture);
        age = cv::Mat::zeros(luma.size(), CV_8U);
        blurred = now;
        return picture;
    }
    for (int y = 0; y < luma.rows; y++) {
        const uchar *fresh = luma.ptr<uchar>(y), *mean = now.ptr<uchar>(y);
        uchar *known = blurred.ptr<uchar>(y), *ages = age.ptr<uchar>(y), *out = picture.ptr<uchar>(y);
        float *value = sum.ptr<float>(y);
        for (int x = 0; x < luma.cols; x++) {
            const bool isStill = std::abs(mean[x] - known[x]) <= drift;
            ages[x] = isStill ? static_cast<uchar>(std::min(ages[x] + 1, oldest)) : 0;
            value[x] += (static_cast<float>(fresh[x]) - value[x]) / static_cast<float>(ages[x] + 1);
            out[x] = static_cast<uchar>(value[x] + 0.5f);
            known[x] = mean[x];
        }
    }
    return picture;
}

} // namespace rackfocus

#include "still.hpp"
#include "fast.hpp"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>

namespace rackfocus {

/// How far the mean of 5 x 5 pixels may drift and still be the same: above the sensor's noise, below a shadow's edge.
static const int drift = 4;

/// One row: the means are taken over as many frames as nothing has moved, `ages`, at most `oldest`.
FAST static void averageRow(
    const uint8_t *__restrict fresh, const uint8_t *__restrict mean, uint8_t *__restrict known, uint8_t *__restrict ages, float *__restrict value,
    uint8_t *__restrict out, int width, int oldest) {
    for (int x = 0; x < width; x++) {
        const int step = mean[x] - known[x], older = ages[x] < oldest ? ages[x] + 1 : oldest;
        const int age = step <= drift && step >= -drift ? older : 0;
        ages[x] = static_cast<uint8_t>(age);
        value[x] += (static_cast<float>(fresh[x]) - value[x]) / static_cast<float>(age + 1);
        out[x] = static_cast<uint8_t>(static_cast<int>(value[x] + 0.5f));
        known[x] = mean[x];
    }
}

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
    for (int y = 0; y < luma.rows; y++)
        averageRow(
            luma.ptr<uchar>(y), now.ptr<uchar>(y), blurred.ptr<uchar>(y), age.ptr<uchar>(y), sum.ptr<float>(y), picture.ptr<uchar>(y), luma.cols,
            oldest);
    return picture;
}

} // namespace rackfocus

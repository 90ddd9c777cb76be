#include "still.hpp"
#include "fast.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace rackfocus {

/// How far the mean of 5 x 5 pixels may drift and still be the same: above the sensor's noise, below a shadow's edge.
static const int drift = 4;

static const int reach = 2, around = 2 * reach + 1;

/// Means of 5 x 5 pixels from five rows; `sums` has room for as many before and after as they reach.
FAST static void blurRow(const uint8_t *const *rows, int width, uint16_t *__restrict sums, uint8_t *__restrict out) {
    const uint8_t *a = rows[0], *b = rows[1], *c = rows[2], *d = rows[3], *e = rows[4];
    for (int x = 0; x < width; x++)
        sums[reach + x] = static_cast<uint16_t>(a[x] + b[x] + c[x] + d[x] + e[x]);
    // Beyond its border a picture is mirrored.
    for (int x = 1; x <= reach; x++) {
        sums[reach - x] = sums[reach + (x < width ? x : width - 1)];
        sums[reach + width - 1 + x] = sums[reach + (x < width ? width - 1 - x : 0)];
    }
    for (int x = 0; x < width; x++) {
        const int sum = sums[x] + sums[x + 1] + sums[x + 2] + sums[x + 3] + sums[x + 4];
        out[x] = static_cast<uint8_t>((sum + around * around / 2) * 5243 >> 17); // a 25th, for all such sums
    }
}

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
    now.create(luma.size(), CV_8U);
    sums.resize(static_cast<size_t>(luma.cols + 2 * reach));
    for (int y = 0; y < luma.rows; y++) {
        const uint8_t *rows[around];
        for (int i = 0; i < around; i++)
            rows[i] = luma.ptr<uchar>(cv::borderInterpolate(y + i - reach, luma.rows, cv::BORDER_REFLECT_101));
        blurRow(rows, luma.cols, sums.data(), now.ptr<uchar>(y));
    }
    if (blurred.size() != luma.size() || oldest == 0) {
        luma.convertTo(sum, CV_32F);
        luma.copyTo(picture);
        age = cv::Mat::zeros(luma.size(), CV_8U);
        now.copyTo(blurred);
        return picture;
    }
    for (int y = 0; y < luma.rows; y++)
        averageRow(
            luma.ptr<uchar>(y), now.ptr<uchar>(y), blurred.ptr<uchar>(y), age.ptr<uchar>(y), sum.ptr<float>(y), picture.ptr<uchar>(y), luma.cols,
            oldest);
    return picture;
}

} // namespace rackfocus

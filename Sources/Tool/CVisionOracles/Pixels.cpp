#include "CVisionOracles.h"
#include "ExceptionBoundary.hpp"
#include "TemporalAverage/TemporalAverage.hpp"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace rackfocus;

extern "C" int rf_oracle_area_reduce(const rf_image *source, rf_image *target) {
    return catchingExceptions([&] {
        cv::Mat out = mat(target);
        cv::resize(mat(source), out, out.size(), 0, 0, cv::INTER_AREA);
    });
}

namespace {

/// Side of the blocks that are judged.
const int side = 16;

double level(double luma) { return std::clamp((luma - 16) * 255 / 219, 0.0, 255.0); }

double percentile(const cv::Mat &histogram, double total, double share) {
    double sum = 0;
    for (int i = 0; i < 256; i++) {
        sum += double(histogram.at<float>(i));
        if (sum >= share * total)
            return level(i);
    }
    return 255;
}

/// Mean, standard deviation and Immerkær's noise of a block.
struct Block {
    double mean, deviation, noise;
};

} // namespace

extern "C" int rf_oracle_light_measure(const rf_image *luma, const rf_image *chroma, rf_light *light) {
    return catchingExceptions([&] {
        const cv::Mat picture = mat(luma);
        cv::Mat histogram, response;
        const int channel = 0, bins = 256;
        const float range[] = {0, 256}, *ranges[] = {range};
        cv::calcHist(&picture, 1, &channel, cv::noArray(), histogram, 1, &bins, ranges);
        const double total = double(picture.total()), meanLuma = cv::mean(picture)[0];
        light->mean = level(meanLuma);
        light->p95 = percentile(histogram, total, 0.95);
        light->p99 = percentile(histogram, total, 0.99);
        light->redness = cv::mean(mat(chroma))[1] - 128;
        light->entropy = 0;
        for (int i = 0; i < bins; i++)
            if (const double share = double(histogram.at<float>(i)) / total; share > 0)
                light->entropy -= share * std::log2(share);
        const cv::Mat mask = (cv::Mat_<float>(3, 3) << 1, -2, 1, -2, 4, -2, 1, -2, 1);
        cv::filter2D(picture, response, CV_16S, mask);
        std::vector<double> deviations;
        std::vector<Block> blocks;
        for (int y = 1; y + side < picture.rows; y += side)
            for (int x = 1; x + side < picture.cols; x += side) {
                const cv::Rect place(x, y, side, side);
                cv::Scalar mean, deviation;
                cv::meanStdDev(picture(place), mean, deviation);
                deviations.push_back(deviation[0]);
                const double noise = cv::norm(response(place), cv::NORM_L1) / (side * side) / 6 * std::sqrt(CV_PI / 2);
                if (mean[0] > 20 && mean[0] < 225)
                    blocks.push_back({mean[0], deviation[0], noise});
            }
        std::sort(deviations.begin(), deviations.end());
        light->texture = deviations.empty() ? 0 : deviations[deviations.size() / 2] * 255 / 219;
        std::sort(blocks.begin(), blocks.end(), [](const Block &a, const Block &b) { return a.deviation < b.deviation; });
        blocks.resize((blocks.size() + 4) / 5);
        light->signal_to_noise = -1;
        if (blocks.empty())
            return;
        double noise = 0;
        for (const Block &block : blocks)
            noise += block.noise / double(blocks.size());
        light->signal_to_noise = noise > 0.01 && meanLuma > 16 ? std::clamp(20 * std::log10((meanLuma - 16) / noise), 0.0, 100.0) : 100;
    });
}

struct rf_kernel_average {
    TemporalAverage average;
};

extern "C" rf_kernel_average *rf_kernel_average_create(void) { return new rf_kernel_average(); }

extern "C" void rf_kernel_average_destroy(rf_kernel_average *average) { delete average; }

extern "C" void rf_kernel_average_add(rf_kernel_average *average, const rf_image *luma, double keep, const uint8_t **out) {
    *out = average->average.average(lumaOf(luma), keep).data;
}

struct rf_oracle_average {
    cv::Mat means, lastMeans, drift, isStill, ages, averages, change, next;
};

extern "C" int rf_oracle_average_create(rf_oracle_average **average) {
    return catchingExceptions([&] { *average = new rf_oracle_average(); });
}

extern "C" void rf_oracle_average_destroy(rf_oracle_average *average) { delete average; }

extern "C" int rf_oracle_average_add(rf_oracle_average *average, const rf_image *luma, double keep, uint8_t *out) {
    return catchingExceptions([&] {
        rf_oracle_average &a = *average;
        const cv::Mat fresh = mat(luma);
        const double oldest = keep >= 1 ? 50 : std::min(50.0, std::round(keep / (1 - keep)));
        cv::blur(fresh, a.means, cv::Size(5, 5));
        if (a.averages.size() != fresh.size()) {
            fresh.convertTo(a.averages, CV_32F);
            a.ages = cv::Mat::zeros(fresh.size(), CV_32F);
        } else {
            cv::absdiff(a.means, a.lastMeans, a.drift);
            cv::compare(a.drift, 4, a.isStill, cv::CMP_LE);
            cv::min(a.ages + 1, oldest, a.next);
            a.ages.setTo(0);
            a.next.copyTo(a.ages, a.isStill);
            cv::subtract(fresh, a.averages, a.change, cv::noArray(), CV_32F);
            cv::divide(a.change, a.ages + 1, a.change);
            cv::add(a.averages, a.change, a.averages);
        }
        cv::swap(a.means, a.lastMeans);
        cv::Mat result(fresh.size(), CV_8U, out);
        a.averages.convertTo(result, CV_8U);
    });
}

#include "door.hpp"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace rackfocus;

namespace {

struct Block {
    double mean, deviation, noise;
};

const int side = 16;

/// Immerkaer's noise estimate (CVIU 1996): what a Laplacian that is blind to planes and edges of first order leaves.
Block block(const cv::Mat &luma, int left, int top) {
    double sum = 0, squares = 0, left_over = 0;
    for (int y = top; y < top + side; y++) {
        const uchar *row = luma.ptr<uchar>(y), *above = luma.ptr<uchar>(y - 1), *below = luma.ptr<uchar>(y + 1);
        for (int x = left; x < left + side; x++) {
            sum += row[x];
            squares += row[x] * row[x];
            left_over += std::abs(
                above[x - 1] + above[x + 1] + below[x - 1] + below[x + 1] - 2 * (above[x] + below[x] + row[x - 1] + row[x + 1]) + 4 * row[x]);
        }
    }
    const double count = side * side, mean = sum / count;
    return {mean, std::sqrt(std::max(squares / count - mean * mean, 0.0)), left_over / count / 6 * std::sqrt(CV_PI / 2)};
}

double level(double luma) { return std::clamp((luma - 16) * 255 / 219, 0.0, 255.0); }

double percentile(const int *histogram, int total, double share) {
    int sum = 0;
    for (int i = 0; i < 256; i++) {
        sum += histogram[i];
        if (sum >= share * total)
            return level(i);
    }
    return 255;
}

} // namespace

extern "C" int rf_meter(const rf_image *luma, const rf_image *chroma, rf_light *light) {
    return guarded([&] {
        const cv::Mat picture = mat(luma);
        int histogram[256] = {};
        for (int y = 0; y < picture.rows; y++)
            for (int x = 0; x < picture.cols; x++)
                histogram[picture.at<uchar>(y, x)]++;
        const int total = static_cast<int>(picture.total());
        light->mean = level(cv::mean(picture)[0]);
        light->p95 = percentile(histogram, total, 0.95);
        light->p99 = percentile(histogram, total, 0.99);
        light->redness = cv::mean(mat(chroma))[1] - 128;
        light->entropy = 0;
        for (int count : histogram)
            if (count > 0)
                light->entropy -= static_cast<double>(count) / total * std::log2(static_cast<double>(count) / total);
        std::vector<double> deviations;
        std::vector<Block> blocks;
        for (int y = 1; y + side < picture.rows; y += side)
            for (int x = 1; x + side < picture.cols; x += side) {
                const Block found = block(picture, x, y);
                deviations.push_back(found.deviation);
                // Clipped pixels have no noise to be seen.
                if (found.mean > 20 && found.mean < 225)
                    blocks.push_back(found);
            }
        std::sort(deviations.begin(), deviations.end());
        light->texture = deviations.empty() ? 0 : deviations[deviations.size() / 2] * 255 / 219;
        std::sort(blocks.begin(), blocks.end(), [](const Block &a, const Block &b) { return a.deviation < b.deviation; });
        blocks.resize((blocks.size() + 4) / 5);
        light->signal_to_noise = -1;
        if (blocks.empty())
            return;
        double noise = 0;
        for (const Block &found : blocks)
            noise += found.noise / static_cast<double>(blocks.size());
        const double mean = cv::mean(picture)[0] - 16;
        light->signal_to_noise = noise > 0.01 && mean > 0 ? std::clamp(20 * std::log10(mean / noise), 0.0, 100.0) : 100;
    });
}

#include "../Common/Plane.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace rackfocus;

// Levels, texture, noise and entropy of a picture, from which light is metered.
//
// Papers: Immerkær, "Fast noise variance estimation", CVIU 1996, eq. 3, over blocks of 16 x 16 pixels; Shannon's entropy of the histogram.
// Units: levels 0...255 of full range; noise as a ratio in dB.
// Cost: O(pixels).
// Oracle: cv::calcHist, cv::mean, cv::meanStdDev, and cv::filter2D with Immerkær's mask.
// Changed: noise is the mean of the fifth of the blocks with the least deviation, clipped blocks left out, as edges are no noise.

namespace {

struct Block {
    double mean, deviation, noise;
};

const int side = 16;
const double halfPi = 1.5707963267948966;

/// Mean, standard deviation and Immerkær's noise of the block whose first pixel is at (left, top).
Block measureBlock(PlaneView<const uint8_t> luma, int left, int top) {
    double sum = 0, squares = 0, response = 0;
    for (int y = top; y < top + side; y++) {
        const uint8_t *row = luma.row(y), *above = luma.row(y - 1), *below = luma.row(y + 1);
        for (int x = left; x < left + side; x++) {
            sum += row[x];
            squares += row[x] * row[x];
            response += std::abs(
                above[x - 1] + above[x + 1] + below[x - 1] + below[x + 1] - 2 * (above[x] + below[x] + row[x - 1] + row[x + 1]) + 4 * row[x]);
        }
    }
    const double count = side * side, mean = sum / count;
    return {mean, std::sqrt(std::max(squares / count - mean * mean, 0.0)), response / count / 6 * std::sqrt(halfPi)};
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

/// Mean of the values at `channel` of a picture.
double meanOf(const rf_image *picture, int channel) {
    int64_t sum = 0;
    for (int y = 0; y < picture->height; y++)
        for (int x = 0; x < picture->width; x++)
            sum += picture->data[y * picture->stride + x * picture->channels + channel];
    return static_cast<double>(sum) * (1.0 / (static_cast<double>(picture->width) * picture->height));
}

} // namespace

extern "C" void rf_light_measure(const rf_image *luma, const rf_image *chroma, rf_light *light) {
    const PlaneView<const uint8_t> picture = lumaOf(luma);
    const double meanLuma = meanOf(luma, 0);
    int histogram[256] = {};
    for (int y = 0; y < picture.height; y++)
        for (int x = 0; x < picture.width; x++)
            histogram[picture.at(x, y)]++;
    const int total = static_cast<int>(picture.count());
    light->mean = level(meanLuma);
    light->p95 = percentile(histogram, total, 0.95);
    light->p99 = percentile(histogram, total, 0.99);
    light->redness = meanOf(chroma, 1) - 128;
    light->entropy = 0;
    for (int count : histogram)
        if (count > 0)
            light->entropy -= static_cast<double>(count) / total * std::log2(static_cast<double>(count) / total);
    std::vector<double> deviations;
    std::vector<Block> blocks;
    for (int y = 1; y + side < picture.height; y += side)
        for (int x = 1; x + side < picture.width; x += side) {
            const Block found = measureBlock(picture, x, y);
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
    const double mean = meanLuma - 16;
    light->signal_to_noise = noise > 0.01 && mean > 0 ? std::clamp(20 * std::log10(mean / noise), 0.0, 100.0) : 100;
}

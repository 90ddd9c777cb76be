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
// Changed: noise is the mean of the fifth of the blocks with the least deviation, clipped blocks left out, as edges are no noise. Of that, only what
// is white counts: averaging 2 x 2 pixels halves white noise, while texture, whose power falls with frequency (Field 1987), keeps its strength, so
// that white² = (full² - half²) / (1 - 1/4). Measured full / half: lawns, leaves and cobbles .26 to .85, a clip of 4 to 6 stops less light lifted by
// gain 1.6 to 1.7, coded by H.264 afterwards 1.2 to 1.6. White texture that stands still is none either: its difference to the picture before is less
// than a quarter of it. Levels that gain has pulled apart count as the noise of their quantisation, step / √12.

namespace {

struct Block {
    double mean, deviation, noise;
};

const int side = 16;
/// Share of white noise from which all of it counts: the share scatters by as much where few blocks are flat.
const double allWhite = 0.8;
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

/// Mean noise of the fifth of the blocks with the least deviation; negative where none can be judged.
double noiseOfFlattest(std::vector<Block> blocks) {
    std::sort(blocks.begin(), blocks.end(), [](const Block &a, const Block &b) { return a.deviation < b.deviation; });
    blocks.resize((blocks.size() + 4) / 5);
    double noise = blocks.empty() ? -1 : 0;
    for (const Block &found : blocks)
        noise += found.noise / static_cast<double>(blocks.size());
    return noise;
}

/// Blocks that are not clipped: clipped pixels have no noise to be seen.
std::vector<Block> judgedBlocks(PlaneView<const uint8_t> picture) {
    std::vector<Block> blocks;
    for (int y = 1; y + side < picture.height; y += side)
        for (int x = 1; x + side < picture.width; x += side) {
            const Block found = measureBlock(picture, x, y);
            if (found.mean > 20 && found.mean < 225)
                blocks.push_back(found);
        }
    return blocks;
}

/// Noise of the picture averaged over 2 x 2 pixels.
double noiseOfHalf(PlaneView<const uint8_t> picture) {
    const int width = picture.width / 2, height = picture.height / 2;
    std::vector<uint8_t> pixels(static_cast<size_t>(width) * height);
    for (int y = 0; y < height; y++) {
        const uint8_t *above = picture.row(2 * y), *below = picture.row(2 * y + 1);
        for (int x = 0; x < width; x++)
            pixels[static_cast<size_t>(y) * width + x] =
                static_cast<uint8_t>((above[2 * x] + above[2 * x + 1] + below[2 * x] + below[2 * x + 1] + 2) / 4);
    }
    const rf_image half = {pixels.data(), width, height, 1, width};
    return noiseOfFlattest(judgedBlocks(lumaOf(&half)));
}

/// Standard deviation of the difference to the picture before, over √2, in the fifth of the blocks where it is least.
double noiseInTime(PlaneView<const uint8_t> picture, PlaneView<const uint8_t> before) {
    std::vector<double> deviations;
    for (int top = 0; top + side <= picture.height; top += side)
        for (int left = 0; left + side <= picture.width; left += side) {
            double sum = 0, squares = 0;
            for (int y = top; y < top + side; y++)
                for (int x = left; x < left + side; x++) {
                    const double difference = picture.row(y)[x] - before.row(y)[x];
                    sum += difference;
                    squares += difference * difference;
                }
            const double count = side * side, mean = sum / count;
            deviations.push_back(std::sqrt(std::max(squares / count - mean * mean, 0.0) / 2));
        }
    std::sort(deviations.begin(), deviations.end());
    deviations.resize((deviations.size() + 4) / 5);
    double noise = 0;
    for (double deviation : deviations)
        noise += deviation / static_cast<double>(deviations.size());
    return noise;
}

/// Step between neighbouring levels that occur, where at least eight do and four of five steps are alike; else 1.
int levelStep(const int *histogram) {
    std::vector<int> steps;
    int last = -1;
    for (int i = 0; i < 256; i++) {
        if (histogram[i] == 0)
            continue;
        if (last >= 0)
            steps.push_back(i - last);
        last = i;
    }
    if (steps.size() < 8)
        return 1;
    std::vector<int> sorted = steps;
    std::sort(sorted.begin(), sorted.end());
    const int median = sorted[sorted.size() / 2];
    const auto alike = std::count_if(steps.begin(), steps.end(), [median](int step) { return std::abs(step - median) <= 1; });
    return alike * 5 >= static_cast<int>(steps.size()) * 4 ? median : 1;
}

} // namespace

extern "C" void rf_light_measure(const rf_image *luma, const rf_image *chroma, const rf_image *before, rf_light *light) {
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
    for (int y = 1; y + side < picture.height; y += side)
        for (int x = 1; x + side < picture.width; x += side)
            deviations.push_back(measureBlock(picture, x, y).deviation);
    std::sort(deviations.begin(), deviations.end());
    light->texture = deviations.empty() ? 0 : deviations[deviations.size() / 2] * 255 / 219;
    light->signal_to_noise = -1;
    const double full = noiseOfFlattest(judgedBlocks(picture));
    if (full < 0)
        return;
    const double half = std::max(noiseOfHalf(picture), 0.0);
    const double white = full > 0 ? std::max(1 - half * half / (full * full), 0.0) / 0.75 : 0;
    double noise = full * std::sqrt(std::min(white / allWhite, 1.0));
    if (before) {
        const double inTime = noiseInTime(picture, lumaOf(before));
        if (inTime < noise / 4)
            noise = inTime;
    }
    const int step = levelStep(histogram);
    if (step > 1)
        noise = std::max(noise, step / std::sqrt(12.0));
    const double mean = meanLuma - 16;
    light->signal_to_noise = noise > 0.01 && mean > 0 ? std::clamp(20 * std::log10(mean / noise), 0.0, 100.0) : 100;
}

#include "../Common/Plane.hpp"
#include "../Common/TargetClones.hpp"

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

/// Sums over a block: values, squares, and absolute responses to Immerkær's mask.
struct BlockSums {
    int values, squares, responses;
};

TARGET_CLONES void sumBlock(const uint8_t *first, std::ptrdiff_t stride, BlockSums &sums) {
    int values = 0, squares = 0, responses = 0;
    for (int y = 0; y < side; y++) {
        const uint8_t *row = first + y * stride, *above = row - stride, *below = row + stride;
        for (int x = 0; x < side; x++) {
            const int response =
                above[x - 1] + above[x + 1] + below[x - 1] + below[x + 1] - 2 * (above[x] + below[x] + row[x - 1] + row[x + 1]) + 4 * row[x];
            values += row[x];
            squares += row[x] * row[x];
            responses += response < 0 ? -response : response;
        }
    }
    sums = {values, squares, responses};
}

TARGET_CLONES void sumDifferences(const uint8_t *first, const uint8_t *before, std::ptrdiff_t stride, std::ptrdiff_t strideBefore, BlockSums &sums) {
    int values = 0, squares = 0;
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            const int difference = first[y * stride + x] - before[y * strideBefore + x];
            values += difference;
            squares += difference * difference;
        }
    sums = {values, squares, 0};
}

double variance(const BlockSums &sums) {
    const double count = side * side, mean = sums.values / count;
    return std::max(sums.squares / count - mean * mean, 0.0);
}

/// Mean, standard deviation and Immerkær's noise of all whole blocks but for the pixels at the border.
std::vector<Block> measureBlocks(PlaneView<const uint8_t> luma) {
    std::vector<Block> blocks;
    for (int y = 1; y + side < luma.height; y += side)
        for (int x = 1; x + side < luma.width; x += side) {
            BlockSums sums;
            sumBlock(luma.row(y) + x, luma.stride, sums);
            const double count = side * side;
            blocks.push_back({sums.values / count, std::sqrt(variance(sums)), sums.responses / count / 6 * std::sqrt(halfPi)});
        }
    return blocks;
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

/// Sum of the second of each two values.
TARGET_CLONES int sumOfSecond(const uint8_t *pairs, int count) {
    int sum = 0;
    for (int x = 0; x < count; x++)
        sum += pairs[2 * x + 1];
    return sum;
}

/// Mean of Cr.
double meanRedness(const rf_image *chroma) {
    int64_t sum = 0;
    for (int y = 0; y < chroma->height; y++)
        sum += sumOfSecond(chroma->data + y * chroma->stride, chroma->width);
    return static_cast<double>(sum) * (1.0 / (static_cast<double>(chroma->width) * chroma->height));
}

/// Pixels of each level; neighbours, which are often alike, are counted apart, as a count waits for the one before.
void countLevels(PlaneView<const uint8_t> luma, int *histogram) {
    int counts[4][256] = {};
    for (int y = 0; y < luma.height; y++) {
        const uint8_t *row = luma.row(y);
        int x = 0;
        for (; x + 4 <= luma.width; x += 4)
            for (int i = 0; i < 4; i++)
                counts[i][row[x + i]]++;
        for (; x < luma.width; x++)
            counts[0][row[x]]++;
    }
    for (int i = 0; i < 256; i++)
        histogram[i] = counts[0][i] + counts[1][i] + counts[2][i] + counts[3][i];
}

/// Mean noise of the fifth of the blocks with the least deviation; negative where none can be judged, as clipped pixels have no noise to be seen.
double noiseOfFlattest(std::vector<Block> blocks) {
    blocks.erase(
        std::remove_if(blocks.begin(), blocks.end(), [](const Block &found) { return found.mean <= 20 || found.mean >= 225; }), blocks.end());
    std::sort(blocks.begin(), blocks.end(), [](const Block &a, const Block &b) { return a.deviation < b.deviation; });
    blocks.resize((blocks.size() + 4) / 5);
    double noise = blocks.empty() ? -1 : 0;
    for (const Block &found : blocks)
        noise += found.noise / static_cast<double>(blocks.size());
    return noise;
}

TARGET_CLONES void averagePairs(const uint8_t *above, const uint8_t *below, int count, uint8_t *out) {
    for (int x = 0; x < count; x++)
        out[x] = static_cast<uint8_t>((above[2 * x] + above[2 * x + 1] + below[2 * x] + below[2 * x + 1] + 2) / 4);
}

/// Noise of the picture averaged over 2 x 2 pixels.
double noiseOfHalf(PlaneView<const uint8_t> picture) {
    const int width = picture.width / 2, height = picture.height / 2;
    std::vector<uint8_t> pixels(static_cast<size_t>(width) * height);
    for (int y = 0; y < height; y++)
        averagePairs(picture.row(2 * y), picture.row(2 * y + 1), width, pixels.data() + static_cast<size_t>(y) * width);
    const rf_image half = {pixels.data(), width, height, 1, width};
    return noiseOfFlattest(measureBlocks(lumaOf(&half)));
}

/// Standard deviation of the difference to the picture before, over √2, in the fifth of the blocks where it is least.
double noiseInTime(PlaneView<const uint8_t> picture, PlaneView<const uint8_t> before) {
    std::vector<double> deviations;
    for (int top = 0; top + side <= picture.height; top += side)
        for (int left = 0; left + side <= picture.width; left += side) {
            BlockSums sums;
            sumDifferences(picture.row(top) + left, before.row(top) + left, picture.stride, before.stride, sums);
            deviations.push_back(std::sqrt(variance(sums) / 2));
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
    int histogram[256];
    countLevels(picture, histogram);
    const int total = static_cast<int>(picture.count());
    int64_t sum = 0;
    for (int i = 0; i < 256; i++)
        sum += static_cast<int64_t>(i) * histogram[i];
    const double meanLuma = static_cast<double>(sum) * (1.0 / (static_cast<double>(picture.width) * picture.height));
    light->mean = level(meanLuma);
    light->p95 = percentile(histogram, total, 0.95);
    light->p99 = percentile(histogram, total, 0.99);
    light->redness = meanRedness(chroma) - 128;
    light->entropy = 0;
    for (int count : histogram)
        if (count > 0)
            light->entropy -= static_cast<double>(count) / total * std::log2(static_cast<double>(count) / total);
    const std::vector<Block> blocks = measureBlocks(picture);
    std::vector<double> deviations;
    for (const Block &found : blocks)
        deviations.push_back(found.deviation);
    std::sort(deviations.begin(), deviations.end());
    light->texture = deviations.empty() ? 0 : deviations[deviations.size() / 2] * 255 / 219;
    light->signal_to_noise = -1;
    const double full = noiseOfFlattest(blocks);
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

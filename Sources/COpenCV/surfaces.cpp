#include "surfaces.hpp"
#include "door.hpp"
#include "fast.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace rackfocus;

namespace {

/// The rows of `in` and the first and the last of them `reach` times more: each becomes the least or the most of 2 `reach` + 1 of them.
/// `rows` has as many as there are then; with each step a row stands for twice as many.
FAST void findDown(
    const float *in, float *out, std::ptrdiff_t stride, int height, int width, int reach, bool isMost, float *rows, std::ptrdiff_t rowStride) {
    const auto row = [&](int y) __attribute__((always_inline)) { return rows + y * rowStride; };
    const auto go = [&](auto pick) __attribute__((always_inline)) {
        for (int y = 0; y < height + 2 * reach; y++) {
            const int from = y < reach ? 0 : (y - reach < height ? y - reach : height - 1);
            for (int x = 0; x < width; x++)
                row(y)[x] = in[from * stride + x];
        }
        int span = 1;
        for (; 2 * span <= 2 * reach + 1; span *= 2)
            for (int y = 0; y + span < height + 2 * reach; y++)
#pragma clang loop vectorize(assume_safety)
                for (int x = 0; x < width; x++)
                    row(y)[x] = pick(row(y)[x], row(y + span)[x]);
        for (int y = 0; y < height; y++)
#pragma clang loop vectorize(assume_safety)
            for (int x = 0; x < width; x++)
                out[y * stride + x] = pick(row(y)[x], row(y + 2 * reach + 1 - span)[x]);
    };
    if (isMost)
        go([](float a, float b) __attribute__((always_inline)) { return a > b ? a : b; });
    else
        go([](float a, float b) __attribute__((always_inline)) { return a < b ? a : b; });
}

/// The same along a row; `cells` has `width` + 2 `reach`.
FAST void findAcross(float *values, int width, int reach, bool isMost, float *cells) {
    const auto go = [&](auto pick) __attribute__((always_inline)) {
        for (int x = 0; x < reach; x++) {
            cells[x] = values[0];
            cells[reach + width + x] = values[width - 1];
        }
        for (int x = 0; x < width; x++)
            cells[reach + x] = values[x];
        int span = 1, count = width + 2 * reach;
        for (; 2 * span <= 2 * reach + 1; span *= 2)
#pragma clang loop vectorize(assume_safety)
            for (int x = 0; x < count - span; x++)
                cells[x] = pick(cells[x], cells[x + span]);
#pragma clang loop vectorize(assume_safety)
        for (int x = 0; x < width; x++)
            values[x] = pick(cells[x], cells[x + 2 * reach + 1 - span]);
    };
    if (isMost)
        go([](float a, float b) __attribute__((always_inline)) { return a > b ? a : b; });
    else
        go([](float a, float b) __attribute__((always_inline)) { return a < b ? a : b; });
}

/// Means of 3 x 3 values; `sums` has room for one more before and one after.
FAST void blurRow(
    const float *__restrict above, const float *__restrict row, const float *__restrict below, int width, float *__restrict sums,
    float *__restrict out) {
    for (int x = 0; x < width; x++)
        sums[x + 1] = above[x] + row[x] + below[x];
    // Beyond its border a map is mirrored.
    sums[0] = sums[width > 1 ? 2 : 1];
    sums[width + 1] = sums[width > 1 ? width - 1 : 1];
    for (int x = 0; x < width; x++)
        out[x] = (sums[x] + sums[x + 1] + sums[x + 2]) * (1.f / 9);
}

/// The larger of the steps to the right and down; none from the last column.
FAST void steepness(const float *__restrict row, const float *__restrict below, float *__restrict out, int width) {
    for (int x = 0; x < width - 1; x++) {
        const float across = std::abs(row[x + 1] - row[x]), down = std::abs(below[x] - row[x]);
        out[x] = across > down ? across : down;
    }
    out[width - 1] = std::abs(below[width - 1] - row[width - 1]);
}

/// What lies near a jump, and where the steepest way up is longer than two pixels and shorter than seven: a soft edge is neither a jump from one
/// pixel to the next nor a surface that leans, which takes longer, up to the picture's border too, of which half the window is seen.
FAST void findRamps(
    const float *__restrict low, const float *__restrict high, const float *__restrict jump, const float *__restrict slope, float least,
    uint8_t *__restrict out, int width) {
    for (int x = 0; x < width; x++) {
        const float height = high[x] - low[x];
        out[x] = (height > least) & (jump[x] < 0.4f * height) & (slope[x] > 0.14f * height);
    }
}

/// Where a map jumps from one surface to another: a pixel there is on one side or the other, and never between, where nothing is.
class Jumps {
public:
    /// How sides are sought: within `reach` pixels, every `step`th of them; unlike ones count by `prior` of like ones.
    struct Search {
        int reach, step;
        float prior;
    };

    /// `low` and `high` are the least and the most within `reach`; a jump is as high as `least`.
    Jumps(const cv::Mat &disparity, const cv::Mat &low, const cv::Mat &high, float least, Search search)
        : disparity(disparity), low(low), high(high), least(least), reach(search.reach), step(search.step) {
        for (int i = 0; i < 256; i++) {
            const float part = std::max(1 - static_cast<float>(i * i) / (36 * 36), 0.f);
            likeness[i] = part * part + search.prior;
        }
        for (int i = 0; i < 8 * most + 5; i++)
            nearnesses[i] = std::exp(-static_cast<float>(i * i) / (32 * static_cast<float>(reach * reach)));
    }

    bool isNear(float u, float v) const {
        const int x = static_cast<int>(u + 0.5f), y = static_cast<int>(v + 0.5f);
        return high.at<float>(y, x) - low.at<float>(y, x) > least;
    }

    /// The disparity of that side whose pixels of `picture` around look more like `luma`.
    float side(const cv::Mat &picture, float u, float v, int luma) const {
        const int x = static_cast<int>(u + 0.5f), y = static_cast<int>(v + 0.5f);
        const float lowest = low.at<float>(y, x), span = high.at<float>(y, x) - lowest, middle = lowest + span / 2;
        float weight[2] = {0, 0}, sum[2] = {0, 0}, across[2 * most + 1], down[2 * most + 1];
        for (int i = -reach; i <= reach; i += step) {
            across[i + reach] = nearness(static_cast<float>(x + i) - u);
            down[i + reach] = nearness(static_cast<float>(y + i) - v);
        }
        for (int j = -reach; j <= reach; j += step) {
            if (y + j < 0 || y + j >= disparity.rows)
                continue;
            const float *values = disparity.ptr<float>(y + j);
            const uchar *lumas = picture.ptr<uchar>(y + j);
            for (int i = -reach; i <= reach; i += step) {
                if (x + i < 0 || x + i >= disparity.cols)
                    continue;
                const float value = values[x + i];
                // What lies between the sides is a blurred edge and says little.
                const float certainty = std::min(2 * std::abs(value - middle) / span, 1.f);
                const float own = likeness[std::abs(lumas[x + i] - luma)] * across[i + reach] * down[j + reach] * (certainty * certainty + 1e-3f);
                weight[value > middle] += own;
                sum[value > middle] += own * value;
            }
        }
        const int nearer = weight[1] > weight[0];
        return sum[nearer] / weight[nearer];
    }

private:
    static constexpr int most = 8;

    float nearness(float distance) const { return nearnesses[static_cast<int>(std::abs(distance) * 8 + 0.5f)]; }

    const cv::Mat &disparity, &low, &high;
    const float least;
    const int reach, step;
    /// By distance, eighths of a pixel.
    float nearnesses[8 * most + 5];
    float likeness[256];
};

/// A jump is this part of all there is.
const float leastJump = 0.08f;

} // namespace

namespace rackfocus {

float spread(const cv::Mat &disparity, const cv::Mat &trust, std::vector<float> &memory) {
    memory.clear();
    for (int y = 0; y < disparity.rows; y += 2) {
        const float *value = disparity.ptr<float>(y), *weight = trust.empty() ? nullptr : trust.ptr<float>(y);
        for (int x = 0; x < disparity.cols; x += 2)
            if (weight == nullptr || weight[x] > 0)
                memory.push_back(value[x]);
    }
    if (memory.empty())
        return 0;
    const auto place = [&](size_t percent) { return memory.begin() + static_cast<std::ptrdiff_t>((memory.size() - 1) * percent / 100); };
    const auto low = place(2), high = place(98);
    std::nth_element(memory.begin(), high, memory.end());
    const float most = *high;
    std::nth_element(memory.begin(), low, high);
    return low == high ? 0 : most - *low;
}

void Surroundings::find(const cv::Mat &map, int reach, bool isMost, cv::Mat &out) {
    // As many columns as stay in the cache from the first row to the last.
    const int most = 64;
    out.create(map.size(), CV_32F);
    rows.resize(std::max(static_cast<size_t>(map.rows + 2 * reach) * most, static_cast<size_t>(map.cols + 2 * reach)));
    for (int x = 0; x < map.cols; x += most)
        findDown(
            map.ptr<float>() + x, out.ptr<float>() + x, static_cast<std::ptrdiff_t>(map.step1()), map.rows, std::min(most, map.cols - x), reach,
            isMost, rows.data(), most);
    for (int y = 0; y < map.rows; y++)
        findAcross(out.ptr<float>(y), map.cols, reach, isMost, rows.data());
}

void Sharpener::sharpen(cv::Mat &disparity, const cv::Mat &luma, float noise) {
    const Jumps::Search search{8, 2, 0.05f};
    around.least(disparity, search.reach, low);
    around.most(disparity, search.reach, high);
    const float least = std::max({leastJump * spread(disparity, cv::Mat(), values), 8 * noise, 1e-6f});
    const auto steepest = [&](const cv::Mat &map, int reach, cv::Mat &out) {
        steps.create(map.size(), CV_32F);
        for (int y = 0; y < map.rows; y++)
            steepness(map.ptr<float>(y), map.ptr<float>(std::min(y + 1, map.rows - 1)), steps.ptr<float>(y), map.cols);
        around.most(steps, reach, out);
    };
    steepest(disparity, search.reach, jump);
    smooth.create(disparity.size(), CV_32F);
    values.resize(static_cast<size_t>(disparity.cols) + 2);
    for (int y = 0; y < disparity.rows; y++) {
        const auto row = [&](int y) { return disparity.ptr<float>(cv::borderInterpolate(y, disparity.rows, cv::BORDER_REFLECT_101)); };
        blurRow(row(y - 1), row(y), row(y + 1), disparity.cols, values.data(), smooth.ptr<float>(y));
    }
    // Smoothing brings in what is two pixels farther.
    steepest(smooth, search.reach - 2, slope);
    const Jumps jumps(disparity, low, high, least, search);
    disparity.copyTo(sharp);
    ramps.resize(static_cast<size_t>(disparity.cols));
    for (int y = 0; y < disparity.rows; y++) {
        findRamps(low.ptr<float>(y), high.ptr<float>(y), jump.ptr<float>(y), slope.ptr<float>(y), least, ramps.data(), disparity.cols);
        for (int x = 0; x < disparity.cols; x++)
            if (ramps[static_cast<size_t>(x)] != 0)
                sharp.at<float>(y, x) = jumps.side(luma, static_cast<float>(x), static_cast<float>(y), luma.at<uchar>(y, x));
    }
    sharp.copyTo(disparity);
}

} // namespace rackfocus

extern "C" int rf_disparity_enlarge(const float *values, const rf_image *picture, const rf_image *guide, float *out) {
    return guarded([&] {
        const cv::Mat along = mat(guide), small = mat(picture);
        const cv::Mat disparity(small.size(), CV_32F, const_cast<float *>(values));
        float likeness[256];
        for (int i = 0; i < 256; i++)
            likeness[i] = std::exp(-static_cast<float>(i) / 6) + 1e-4f;
        const Jumps::Search search{2, 1, 1e-3f};
        Surroundings around;
        cv::Mat low, high;
        around.least(disparity, search.reach, low);
        around.most(disparity, search.reach, high);
        std::vector<float> sorted;
        const Jumps jumps(disparity, low, high, std::max(leastJump * spread(disparity, cv::Mat(), sorted), 1e-6f), search);
        const float stepX = static_cast<float>(small.cols) / static_cast<float>(along.cols);
        const float stepY = static_cast<float>(small.rows) / static_cast<float>(along.rows);
        for (int y = 0; y < along.rows; y++) {
            const float v = std::clamp((static_cast<float>(y) + 0.5f) * stepY - 0.5f, 0.f, static_cast<float>(small.rows - 1));
            const int top = static_cast<int>(v), bottom = std::min(top + 1, small.rows - 1);
            const float below = v - static_cast<float>(top);
            const uchar *guideRow = along.ptr<uchar>(y), *luma[2] = {small.ptr<uchar>(top), small.ptr<uchar>(bottom)};
            const float *value[2] = {disparity.ptr<float>(top), disparity.ptr<float>(bottom)};
            float *row = out + static_cast<size_t>(y) * static_cast<size_t>(along.cols);
            for (int x = 0; x < along.cols; x++) {
                const float u = std::clamp((static_cast<float>(x) + 0.5f) * stepX - 0.5f, 0.f, static_cast<float>(small.cols - 1));
                if (jumps.isNear(u, v)) {
                    row[x] = jumps.side(small, u, v, guideRow[x]);
                    continue;
                }
                const int left = static_cast<int>(u), right = std::min(left + 1, small.cols - 1);
                const float beside = u - static_cast<float>(left);
                const float a = (1 - beside) * (1 - below) * likeness[std::abs(guideRow[x] - luma[0][left])];
                const float b = beside * (1 - below) * likeness[std::abs(guideRow[x] - luma[0][right])];
                const float c = (1 - beside) * below * likeness[std::abs(guideRow[x] - luma[1][left])];
                const float d = beside * below * likeness[std::abs(guideRow[x] - luma[1][right])];
                row[x] = (a * value[0][left] + b * value[0][right] + c * value[1][left] + d * value[1][right]) / (a + b + c + d);
            }
        }
    });
}

#include "surfaces.hpp"
#include "door.hpp"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace rackfocus;

namespace {

/// Where a map jumps from one surface to another: a pixel there is on one side or the other, and never between, where nothing is.
class Jumps {
public:
    /// How sides are sought: within `reach` pixels, every `step`th of them; unlike ones count by `prior` of like ones.
    struct Search {
        int reach, step;
        float prior;
    };

    /// A jump is as high as `least` and as 8 % of all there is.
    Jumps(const cv::Mat &disparity, Search search, float least = 1e-6f) : disparity(disparity), reach(search.reach), step(search.step) {
        const cv::Mat window = cv::Mat::ones(2 * reach + 1, 2 * reach + 1, CV_8U);
        cv::erode(disparity, low, window, cv::Point(-1, -1), 1, cv::BORDER_REPLICATE);
        cv::dilate(disparity, high, window, cv::Point(-1, -1), 1, cv::BORDER_REPLICATE);
        std::vector<float> all(disparity.begin<float>(), disparity.end<float>());
        const auto rank = [&](size_t part) {
            const auto at = all.begin() + static_cast<std::ptrdiff_t>(all.size() * part / 100);
            std::nth_element(all.begin(), at, all.end());
            return *at;
        };
        this->least = std::max(0.08f * (rank(98) - rank(2)), least);
        for (int i = 0; i < 256; i++) {
            const float part = std::max(1 - static_cast<float>(i * i) / (36 * 36), 0.f);
            likeness[i] = part * part + search.prior;
        }
        for (int i = 0; i < 8 * most + 5; i++)
            nearnesses[i] = std::exp(-static_cast<float>(i * i) / (32 * static_cast<float>(reach * reach)));
    }

    bool isNear(float u, float v) const {
        return height(static_cast<int>(u + 0.5f), static_cast<int>(v + 0.5f)) > least;
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

    /// From the lowest to the highest around.
    float height(int x, int y) const { return high.at<float>(y, x) - low.at<float>(y, x); }

private:
    static constexpr int most = 8;

    float nearness(float distance) const { return nearnesses[static_cast<int>(std::abs(distance) * 8 + 0.5f)]; }

    const cv::Mat &disparity;
    const int reach, step;
    cv::Mat low, high;
    /// The smallest jump.
    float least;
    /// By distance, eighths of a pixel.
    float nearnesses[8 * most + 5];
    float likeness[256];
};

/// How steep a map is: a soft edge is neither a jump from one pixel to the next nor a surface that leans.
class Slopes {
public:
    Slopes(const cv::Mat &disparity, int reach) : jump(steepest(disparity, reach)) {
        cv::Mat smooth;
        cv::blur(disparity, smooth, cv::Size(3, 3));
        // Smoothing brings in what is two pixels farther.
        slope = steepest(smooth, reach - 2);
    }

    /// Whether the steepest way up by `height` is longer than two pixels and shorter than seven: shorter than a surface that leans up to the
    /// picture's border takes, of which half the window is seen.
    bool isRamp(int x, int y, float height) const { return jump.at<float>(y, x) < 0.4f * height && slope.at<float>(y, x) > 0.14f * height; }

private:
    cv::Mat jump, slope;

    /// The largest difference of neighbours within `reach`.
    static cv::Mat steepest(const cv::Mat &values, int reach) {
        cv::Mat most = cv::Mat::zeros(values.size(), CV_32F);
        for (int y = 0; y < values.rows; y++) {
            const float *row = values.ptr<float>(y), *below = values.ptr<float>(std::min(y + 1, values.rows - 1));
            float *out = most.ptr<float>(y);
            for (int x = 0; x < values.cols; x++)
                out[x] = std::max(std::abs(row[std::min(x + 1, values.cols - 1)] - row[x]), std::abs(below[x] - row[x]));
        }
        cv::dilate(most, most, cv::Mat::ones(2 * reach + 1, 2 * reach + 1, CV_8U), cv::Point(-1, -1), 1, cv::BORDER_REPLICATE);
        return most;
    }
};

} // namespace

namespace rackfocus {

void sharpen(cv::Mat &disparity, const cv::Mat &luma, float noise) {
    const Jumps::Search search{8, 2, 0.05f};
    const Jumps jumps(disparity, search, 8 * noise);
    const Slopes slopes(disparity, search.reach);
    cv::Mat sharp = disparity.clone();
    for (int y = 0; y < disparity.rows; y++)
        for (int x = 0; x < disparity.cols; x++) {
            const float u = static_cast<float>(x), v = static_cast<float>(y);
            if (jumps.isNear(u, v) && slopes.isRamp(x, y, jumps.height(x, y)))
                sharp.at<float>(y, x) = jumps.side(luma, u, v, luma.at<uchar>(y, x));
        }
    disparity = sharp;
}

} // namespace rackfocus

extern "C" int rf_disparity_enlarge(const float *values, const rf_image *picture, const rf_image *guide, float *out) {
    return guarded([&] {
        const cv::Mat along = mat(guide), small = mat(picture);
        const cv::Mat disparity(small.size(), CV_32F, const_cast<float *>(values));
        float likeness[256];
        for (int i = 0; i < 256; i++)
            likeness[i] = std::exp(-static_cast<float>(i) / 6) + 1e-4f;
        const Jumps jumps(disparity, {2, 1, 1e-3f});
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

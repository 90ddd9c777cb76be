#include "door.hpp"
#include "semiglobal.hpp"
#include "smoother.hpp"
#include "still.hpp"

#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace rackfocus;

struct rf_stereo {
    explicit rf_stereo(int range) : matcher(range) {}

    SemiGlobal matcher;
    StillPicture left, right;
    /// The last frames' disparity, and for how many frames it has been confirmed.
    cv::Mat disparity, age;
    /// The last map without holes.
    cv::Mat whole;
};

namespace {

/// Islands smaller than this share of the picture are no surface.
const double island = 1.0 / 1500;

void distrustIslands(const cv::Mat &disparity, cv::Mat &trust) {
    cv::Mat fixed;
    disparity.convertTo(fixed, CV_16S, 16);
    fixed.setTo(-16, trust == 0);
    cv::filterSpeckles(fixed, -16, static_cast<int>(static_cast<double>(disparity.total()) * island), 16);
    trust.setTo(0, fixed == -16);
}

/// Where the picture is as it was, disparity is averaged over time, what cannot be matched keeps what it was, and another value has to insist.
void steady(rf_stereo &stereo, cv::Mat &disparity, cv::Mat &trust) {
    if (stereo.disparity.size() != disparity.size()) {
        disparity.copyTo(stereo.disparity);
        stereo.age = cv::Mat::zeros(disparity.size(), CV_8U);
    }
    for (int y = 0; y < disparity.rows; y++) {
        const uchar *stillness = stereo.left.age.ptr<uchar>(y);
        float *value = disparity.ptr<float>(y), *weight = trust.ptr<float>(y), *memory = stereo.disparity.ptr<float>(y);
        uchar *age = stereo.age.ptr<uchar>(y);
        for (int x = 0; x < disparity.cols; x++) {
            const bool isKnown = stillness[x] > 0 && age[x] > 0, isSeen = weight[x] > 0;
            if (isKnown && isSeen && std::abs(value[x] - memory[x]) < 1) {
                age[x] = std::min<uchar>(age[x] + 1, stereo.left.oldest);
                memory[x] += (value[x] - memory[x]) / static_cast<float>(age[x]);
            } else if (isKnown) {
                age[x] = age[x] > 2 ? age[x] - 2 : 0;
            }
            if (!isKnown) {
                memory[x] = value[x];
                age[x] = isSeen ? 1 : 0;
            }
            value[x] = memory[x];
            weight[x] = age[x] > 0 || isSeen ? 1.f : 0.f;
        }
    }
}

/// What is filled in flickers with what surrounds it: it too is averaged where the picture stands still.
void steadyWhole(rf_stereo &stereo, cv::Mat &whole) {
    if (stereo.whole.size() == whole.size())
        for (int y = 0; y < whole.rows; y++) {
            const uchar *stillness = stereo.left.age.ptr<uchar>(y);
            const float *old = stereo.whole.ptr<float>(y);
            float *value = whole.ptr<float>(y);
            for (int x = 0; x < whole.cols; x++)
                value[x] = old[x] + (value[x] - old[x]) / static_cast<float>(stillness[x] + 1);
        }
    whole.copyTo(stereo.whole);
}

/// The two smallest of the values met so far.
struct Farthest {
    float first = std::numeric_limits<float>::infinity(), second = std::numeric_limits<float>::infinity();

    void meet(float value) {
        second = std::min(second, std::max(first, value));
        first = std::min(first, value);
    }
};

/// One sweep over the picture, downwards from the left or upwards from the right: every hole meets the nearest trusted value in four directions.
void sweep(const cv::Mat &disparity, const cv::Mat &trust, std::vector<Farthest> &met, bool isDownwards) {
    const float none = std::numeric_limits<float>::infinity();
    const int width = disparity.cols, height = disparity.rows, step = isDownwards ? 1 : -1;
    // Carried from the row before: straight, and from both corners, with a cell of padding.
    std::vector<float> straight(static_cast<size_t>(width), none), fromBack(static_cast<size_t>(width) + 2, none), fromFront(fromBack), newBack(fromBack),
        newFront(fromBack);
    for (int j = 0; j < height; j++) {
        const int y = isDownwards ? j : height - 1 - j;
        const float *value = disparity.ptr<float>(y), *weight = trust.ptr<float>(y);
        float beside = none;
        for (int i = 0; i < width; i++) {
            const int x = isDownwards ? i : width - 1 - i;
            const size_t at = static_cast<size_t>(x);
            if (weight[x] > 0) {
                beside = straight[at] = newBack[at + 1] = newFront[at + 1] = value[x];
                continue;
            }
            newBack[at + 1] = fromBack[static_cast<size_t>(x + 1 - step)];
            newFront[at + 1] = fromFront[static_cast<size_t>(x + 1 + step)];
            Farthest &hole = met[static_cast<size_t>(y) * static_cast<size_t>(width) + at];
            hole.meet(beside);
            hole.meet(straight[at]);
            hole.meet(newBack[at + 1]);
            hole.meet(newFront[at + 1]);
        }
        std::swap(fromBack, newBack);
        std::swap(fromFront, newFront);
    }
}

/// What only one eye sees lies behind what hides it: a hole continues the second farthest of what surrounds it in eight directions.
void close(cv::Mat &disparity, const cv::Mat &trust) {
    std::vector<Farthest> met(disparity.total());
    sweep(disparity, trust, met, true);
    sweep(disparity, trust, met, false);
    for (int y = 0; y < disparity.rows; y++)
        for (int x = 0; x < disparity.cols; x++) {
            if (trust.at<float>(y, x) > 0)
                continue;
            const Farthest hole = met[static_cast<size_t>(y) * static_cast<size_t>(disparity.cols) + static_cast<size_t>(x)];
            disparity.at<float>(y, x) = std::isfinite(hole.second) ? hole.second : (std::isfinite(hole.first) ? hole.first : 0);
        }
}

/// Spreads values along the edges of the picture; what was filled in counts little.
void alignToEdges(cv::Mat &disparity, const cv::Mat &trust, const cv::Mat &luma) {
    const float lambda = 40, sigma = 4;
    cv::Mat weight = trust * 0.97f + 0.03f;
    disparity = disparity.mul(weight);
    smoothAlongEdges(luma, lambda, sigma, disparity, weight);
    cv::divide(disparity, weight, disparity);
}

/// Where a map jumps from one surface to another: a pixel there is on one side or the other, and never between, where nothing is.
class Jumps {
public:
    explicit Jumps(const cv::Mat &disparity) {
        const cv::Mat window = cv::Mat::ones(2 * reach + 1, 2 * reach + 1, CV_8U);
        cv::erode(disparity, low, window, cv::Point(-1, -1), 1, cv::BORDER_REPLICATE);
        cv::dilate(disparity, high, window, cv::Point(-1, -1), 1, cv::BORDER_REPLICATE);
        std::vector<float> all(disparity.begin<float>(), disparity.end<float>());
        const auto rank = [&](size_t part) {
            const auto at = all.begin() + static_cast<std::ptrdiff_t>(all.size() * part / 100);
            std::nth_element(all.begin(), at, all.end());
            return *at;
        };
        least = std::max(0.08f * (rank(98) - rank(2)), 1e-6f);
        for (int i = 0; i < 256; i++) {
            const float part = std::max(1 - static_cast<float>(i * i) / (36 * 36), 0.f);
            likeness[i] = part * part + 1e-3f;
        }
    }

    bool isNear(float u, float v) const {
        const int x = static_cast<int>(u + 0.5f), y = static_cast<int>(v + 0.5f);
        return high.at<float>(y, x) - low.at<float>(y, x) > least;
    }

    /// The disparity of that side whose pixels of `picture` around look more like `luma`.
    float side(const cv::Mat &disparity, const cv::Mat &picture, float u, float v, int luma) const {
        const int x = static_cast<int>(u + 0.5f), y = static_cast<int>(v + 0.5f);
        const float lowest = low.at<float>(y, x), span = high.at<float>(y, x) - lowest, middle = lowest + span / 2;
        float weight[2] = {0, 0}, sum[2] = {0, 0}, across[2 * reach + 1], down[2 * reach + 1];
        for (int i = -reach; i <= reach; i++) {
            const float dx = static_cast<float>(x + i) - u, dy = static_cast<float>(y + i) - v;
            across[i + reach] = std::exp(-dx * dx / 2);
            down[i + reach] = std::exp(-dy * dy / 2);
        }
        for (int j = std::max(y - reach, 0); j <= std::min(y + reach, disparity.rows - 1); j++)
            for (int i = std::max(x - reach, 0); i <= std::min(x + reach, disparity.cols - 1); i++) {
                const float value = disparity.at<float>(j, i);
                // What lies between the sides is a blurred edge and says little.
                const float certainty = std::min(2 * std::abs(value - middle) / span, 1.f) + 1e-3f;
                const float own = likeness[std::abs(picture.at<uchar>(j, i) - luma)] * across[i - x + reach] * down[j - y + reach] * certainty;
                weight[value > middle] += own;
                sum[value > middle] += own * value;
            }
        const int nearer = weight[1] > weight[0];
        return sum[nearer] / weight[nearer];
    }

private:
    static constexpr int reach = 2;
    cv::Mat low, high;
    /// The smallest jump.
    float least = 0;
    float likeness[256];
};

} // namespace

extern "C" int rf_stereo_open(int range, rf_stereo **stereo) {
    return guarded([&] { *stereo = new rf_stereo(range); });
}

extern "C" void rf_stereo_close(rf_stereo *stereo) { delete stereo; }

extern "C" int rf_stereo_match(rf_stereo *stereo, const rf_image *left, const rf_image *right, double keep, float *out, float *trusted) {
    return guarded([&] {
        const cv::Mat first = stereo->left.average(mat(left), keep), second = stereo->right.average(mat(right), keep);
        cv::Mat disparity(first.size(), CV_32F, out), trust(first.size(), CV_32F, trusted);
        stereo->matcher.match(first.data, second.data, first.cols, first.rows, out, trusted);
        distrustIslands(disparity, trust);
        steady(*stereo, disparity, trust);
        cv::Mat whole = disparity.clone();
        close(whole, trust);
        alignToEdges(whole, trust, first);
        steadyWhole(*stereo, whole);
        whole.copyTo(disparity);
    });
}

extern "C" int rf_stereo_enlarge(const float *values, const rf_image *picture, const rf_image *guide, float *out) {
    return guarded([&] {
        const cv::Mat along = mat(guide), small = mat(picture);
        const cv::Mat disparity(small.size(), CV_32F, const_cast<float *>(values));
        float likeness[256];
        for (int i = 0; i < 256; i++)
            likeness[i] = std::exp(-static_cast<float>(i) / 6) + 1e-4f;
        const Jumps jumps(disparity);
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
                    row[x] = jumps.side(disparity, small, u, v, guideRow[x]);
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

extern "C" int rf_depth_complete(float *values, const float *trust, const rf_image *guide) {
    return guarded([&] {
        const cv::Mat along = mat(guide), weight(along.size(), CV_32F, const_cast<float *>(trust));
        cv::Mat result(along.size(), CV_32F, values), whole = result.clone();
        close(whole, weight);
        alignToEdges(whole, weight, along);
        whole.copyTo(result, weight == 0);
    });
}

#include "door.hpp"
#include "holes.hpp"
#include "still.hpp"
#include "surfaces.hpp"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace rackfocus;

struct rf_refiner {
    double keep;
    StillPicture picture;
    /// The last frames' values, for how many frames each has been confirmed, and what was given out for them.
    cv::Mat memory, age, held;
    /// The last map without holes.
    cv::Mat whole;
};

namespace {

float median(std::vector<float> &values) {
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// How far what was measured lies apart: from its 2nd percentile to its 98th.
float spread(const cv::Mat &disparity, const cv::Mat &trust) {
    std::vector<float> known;
    for (int y = 0; y < disparity.rows; y += 2)
        for (int x = 0; x < disparity.cols; x += 2)
            if (trust.at<float>(y, x) > 0)
                known.push_back(disparity.at<float>(y, x));
    if (known.empty())
        return 0;
    const auto rank = [&](size_t percent) {
        const auto at = known.begin() + static_cast<std::ptrdiff_t>((known.size() - 1) * percent / 100);
        std::nth_element(known.begin(), at, known.end());
        return *at;
    };
    const float high = rank(98);
    return high - rank(2);
}

/// The standard deviation of what no smooth surface explains (Immerkær 1996), steps of a coarse code included; jumps do not count.
float roughness(const cv::Mat &disparity, const cv::Mat &trust, float jump) {
    double sum = 0;
    size_t count = 0;
    for (int y = 1; y + 1 < disparity.rows; y += 2) {
        const float *rows[3] = {disparity.ptr<float>(y - 1), disparity.ptr<float>(y), disparity.ptr<float>(y + 1)};
        const float *trusts[3] = {trust.ptr<float>(y - 1), trust.ptr<float>(y), trust.ptr<float>(y + 1)};
        for (int x = 1; x + 1 < disparity.cols; x++) {
            float low = rows[1][x], high = low, least = 1, bend = 0;
            for (int j = 0; j < 3; j++)
                for (int i = 0; i < 3; i++) {
                    const float value = rows[j][x + i - 1];
                    low = std::min(low, value);
                    high = std::max(high, value);
                    least = std::min(least, trusts[j][x + i - 1]);
                    bend += static_cast<float>((j == 1 ? -2 : 1) * (i == 1 ? -2 : 1)) * value;
                }
            if (least > 0 && high - low < jump) {
                sum += std::abs(bend);
                count++;
            }
        }
    }
    return count > 0 ? static_cast<float>(std::sqrt(CV_PI / 2) / 6 * sum / static_cast<double>(count)) : 0;
}

/// Disparity over time: where the picture is as it was, it is averaged, what cannot be measured keeps what it was, and another value has to insist.
class Steadying {
public:
    Steadying(rf_refiner &refiner, cv::Mat &disparity, cv::Mat &trust) : refiner(refiner), disparity(disparity), trust(trust) {
        if (refiner.memory.size() == disparity.size())
            return;
        disparity.copyTo(refiner.memory);
        disparity.copyTo(refiner.held);
        refiner.age = cv::Mat::zeros(disparity.size(), CV_8U);
    }

    /// The standard deviation of what was measured twice.
    float flicker() const {
        std::vector<float> changes;
        for (int y = 0; y < disparity.rows; y += 2)
            for (int x = 0; x < disparity.cols; x += 2)
                if (isKnown(y, x) && trust.at<float>(y, x) > 0)
                    changes.push_back(std::abs(disparity.at<float>(y, x) - refiner.memory.at<float>(y, x)));
        return 1.4826f * median(changes);
    }

    /// Values that differ by `tolerance` are of two surfaces; what is given out stands still until the average has moved by more than `slack`.
    void apply(float tolerance, float slack) {
        for (int y = 0; y < disparity.rows; y++) {
            float *value = disparity.ptr<float>(y), *weight = trust.ptr<float>(y), *memory = refiner.memory.ptr<float>(y), *held = refiner.held.ptr<float>(y);
            uchar *age = refiner.age.ptr<uchar>(y);
            for (int x = 0; x < disparity.cols; x++) {
                const bool known = isKnown(y, x), isSeen = weight[x] > 0;
                if (known && isSeen && std::abs(value[x] - memory[x]) < tolerance) {
                    age[x] = std::min<uchar>(age[x] + 1, static_cast<uchar>(refiner.picture.oldest));
                    memory[x] += (value[x] - memory[x]) / static_cast<float>(age[x]);
                    held[x] = std::clamp(held[x], memory[x] - slack, memory[x] + slack);
                } else if (known) {
                    age[x] = age[x] > 2 ? age[x] - 2 : 0;
                } else {
                    held[x] = memory[x] = value[x];
                    age[x] = isSeen ? 1 : 0;
                }
                value[x] = held[x];
                weight[x] = age[x] > 0 || isSeen ? 1.f : 0.f;
            }
        }
    }

private:
    bool isKnown(int y, int x) const { return refiner.picture.age.at<uchar>(y, x) > 0 && refiner.age.at<uchar>(y, x) > 0; }

    rf_refiner &refiner;
    cv::Mat &disparity, &trust;
};

/// What is filled in flickers with what surrounds it, and a pixel beside a jump may change sides: both are averaged where the picture stands still.
/// Another surface, `jump` away, is there as soon as it was measured twice.
void steadyWhole(rf_refiner &refiner, cv::Mat &whole, float jump) {
    if (refiner.whole.size() == whole.size())
        for (int y = 0; y < whole.rows; y++) {
            const uchar *stillness = refiner.picture.age.ptr<uchar>(y), *age = refiner.age.ptr<uchar>(y);
            const float *old = refiner.whole.ptr<float>(y);
            float *value = whole.ptr<float>(y);
            for (int x = 0; x < whole.cols; x++) {
                const float step = value[x] - old[x];
                const bool isAnother = age[x] == 2 && stillness[x] > 2 && std::abs(step) > jump;
                if (!isAnother)
                    value[x] = old[x] + step / static_cast<float>(stillness[x] + 1);
            }
        }
    whole.copyTo(refiner.whole);
}

/// What was measured is smoothed by no more than `most`.
cv::Mat smoothed(const cv::Mat &disparity, const cv::Mat &trust, const cv::Mat &luma, float most) {
    cv::Mat whole = filled(disparity, trust, luma);
    for (int y = 0; y < whole.rows; y++) {
        const float *measured = disparity.ptr<float>(y), *weight = trust.ptr<float>(y);
        float *value = whole.ptr<float>(y);
        for (int x = 0; x < whole.cols; x++)
            if (weight[x] > 0)
                value[x] = std::clamp(value[x], measured[x] - most, measured[x] + most);
    }
    return whole;
}

} // namespace

extern "C" int rf_refiner_open(double keep, rf_refiner **refiner) {
    return guarded([&] { *refiner = new rf_refiner{keep, {}, {}, {}, {}, {}}; });
}

extern "C" void rf_refiner_close(rf_refiner *refiner) { delete refiner; }

extern "C" int rf_refiner_refine(rf_refiner *refiner, const rf_image *picture, float *values, float *trusted) {
    return guarded([&] {
        const cv::Mat luma = refiner->picture.average(mat(picture), refiner->keep);
        cv::Mat disparity(luma.size(), CV_32F, values), trust(luma.size(), CV_32F, trusted);
        const float range = spread(disparity, trust), grain = roughness(disparity, trust, 0.08f * range);
        cv::Mat whole = disparity;
        // What has neither holes nor noise was drawn, not measured.
        if (grain < 5e-4f * range && cv::countNonZero(trust) == static_cast<int>(trust.total())) {
            sharpen(whole, luma, 0);
        } else {
            Steadying steadying(*refiner, disparity, trust);
            const float noise = std::max(grain, steadying.flicker()), tolerance = std::max(4 * noise, 0.01f * range);
            steadying.apply(tolerance, noise);
            whole = smoothed(disparity, trust, luma, 2 * noise);
            sharpen(whole, luma, noise);
            steadyWhole(*refiner, whole, 2 * tolerance);
        }
        whole.copyTo(cv::Mat(luma.size(), CV_32F, values));
    });
}

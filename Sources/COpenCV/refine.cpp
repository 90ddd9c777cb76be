#include "door.hpp"
#include "fast.hpp"
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
    bool sharpens;
    StillPicture picture;
    /// The last frames' values, for how many frames each has been confirmed, and what was given out for them.
    cv::Mat memory, age, held;
    /// The last map without holes.
    cv::Mat whole;
    HoleFiller filler;
    Sharpener sharpener;
    std::vector<float> sorted;
};

namespace {

float median(std::vector<float> &values) {
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// How much the middle row of three is bent at each place but the first and the last; nothing where not all around is trusted or a jump is near.
FAST void bend(const float *const *rows, const float *const *trusts, float jump, float *__restrict bent, float *__restrict counts, int width) {
    const float *a = rows[0], *b = rows[1], *c = rows[2], *s = trusts[0], *t = trusts[1], *u = trusts[2];
    const auto smaller = [](float a, float b) __attribute__((always_inline)) { return a < b ? a : b; };
    const auto larger = [](float a, float b) __attribute__((always_inline)) { return a > b ? a : b; };
#pragma clang loop vectorize(assume_safety)
    for (int x = 1; x < width - 1; x++) {
        float low = b[x], high = low, least = 1;
        for (int i = x - 1; i <= x + 1; i++) {
            low = smaller(smaller(low, a[i]), smaller(b[i], c[i]));
            high = larger(larger(high, a[i]), larger(b[i], c[i]));
            least = smaller(smaller(least, s[i]), smaller(t[i], u[i]));
        }
        const float corners = a[x - 1] + a[x + 1] + c[x - 1] + c[x + 1], sides = a[x] + b[x - 1] + b[x + 1] + c[x], all = corners - 2 * sides + 4 * b[x];
        const bool isSmooth = (least > 0) & (high - low < jump);
        bent[x] = isSmooth ? std::abs(all) : 0;
        counts[x] = isSmooth ? 1 : 0;
    }
}

/// The standard deviation of what no smooth surface explains (Immerkær 1996), steps of a coarse code included; jumps do not count.
float roughness(const cv::Mat &disparity, const cv::Mat &trust, float jump) {
    double sum = 0, count = 0;
    std::vector<float> bent(static_cast<size_t>(disparity.cols)), counts(bent);
    for (int y = 1; y + 1 < disparity.rows; y += 2) {
        const float *rows[] = {disparity.ptr<float>(y - 1), disparity.ptr<float>(y), disparity.ptr<float>(y + 1)};
        const float *trusts[] = {trust.ptr<float>(y - 1), trust.ptr<float>(y), trust.ptr<float>(y + 1)};
        bend(rows, trusts, jump, bent.data(), counts.data(), disparity.cols);
        for (int x = 1; x + 1 < disparity.cols; x++) {
            sum += bent[static_cast<size_t>(x)];
            count += counts[static_cast<size_t>(x)];
        }
    }
    return count > 0 ? static_cast<float>(std::sqrt(CV_PI / 2) / 6 * sum / count) : 0;
}

/// What is remembered of one row, and what was measured of it.
struct SteadyRow {
    float *value, *trust, *memory, *held;
    const uint8_t *stillness;
    uint8_t *age;
};

/// Values that differ by `tolerance` are of two surfaces; what is given out stands still until the average has moved by more than `slack`.
FAST void steady(const SteadyRow row, int width, int oldest, float tolerance, float slack) {
    float *const values = row.value, *const trusts = row.trust, *const memories = row.memory, *const helds = row.held;
    const uint8_t *const stillness = row.stillness;
    uint8_t *const ages = row.age;
#pragma clang loop vectorize(assume_safety)
    for (int x = 0; x < width; x++) {
        const int age = ages[x];
        const float value = values[x], memory = memories[x], held = helds[x];
        const bool isKnown = (stillness[x] > 0) & (age > 0), isSeen = trusts[x] > 0;
        const bool agrees = isKnown & isSeen & (std::abs(value - memory) < tolerance);
        const int older = age + 1 < oldest ? age + 1 : oldest, younger = age > 2 ? age - 2 : 0;
        const float average = memory + (value - memory) / static_cast<float>(older);
        const float least = average - slack, most = average + slack, raised = held < least ? least : held, near = raised > most ? most : raised;
        const int next = agrees ? older : (isKnown ? younger : isSeen);
        const float given = agrees ? near : (isKnown ? held : value);
        ages[x] = static_cast<uint8_t>(next);
        memories[x] = agrees ? average : (isKnown ? memory : value);
        helds[x] = given;
        values[x] = given;
        trusts[x] = ((next > 0) | isSeen) ? 1.f : 0.f;
    }
}

/// What is filled in flickers with what surrounds it, and a pixel beside a jump may change sides: both are averaged where the picture stands still.
/// Another surface, `jump` away, is there as soon as it was measured twice.
FAST void steadyWhole(float *__restrict whole, float *__restrict last, const uint8_t *__restrict stillness, const uint8_t *__restrict age, int width, float jump) {
    for (int x = 0; x < width; x++) {
        const float step = whole[x] - last[x];
        const bool isAnother = (age[x] == 2) & (stillness[x] > 2) & (std::abs(step) > jump);
        whole[x] = last[x] = isAnother ? whole[x] : last[x] + step / static_cast<float>(stillness[x] + 1);
    }
}

/// Values that were measured, kept within `most` of that.
FAST void bound(float *__restrict whole, const float *__restrict measured, const float *__restrict trust, int width, float most) {
    for (int x = 0; x < width; x++) {
        const float low = measured[x] - most, high = measured[x] + most, value = whole[x], raised = value < low ? low : value;
        const float near = raised > high ? high : raised;
        whole[x] = trust[x] > 0 ? near : value;
    }
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
        std::vector<float> &changes = refiner.sorted;
        changes.clear();
        for (int y = 0; y < disparity.rows; y += 2)
            for (int x = 0; x < disparity.cols; x += 2)
                if (isKnown(y, x) && trust.at<float>(y, x) > 0)
                    changes.push_back(std::abs(disparity.at<float>(y, x) - refiner.memory.at<float>(y, x)));
        return 1.4826f * median(changes);
    }

    /// Averages what stood still, row by row.
    void apply(float tolerance, float slack) {
        for (int y = 0; y < disparity.rows; y++)
            steady(
                {disparity.ptr<float>(y), trust.ptr<float>(y), refiner.memory.ptr<float>(y), refiner.held.ptr<float>(y),
                 refiner.picture.age.ptr<uchar>(y), refiner.age.ptr<uchar>(y)},
                disparity.cols, refiner.picture.oldest, tolerance, slack);
    }

private:
    bool isKnown(int y, int x) const { return refiner.picture.age.at<uchar>(y, x) > 0 && refiner.age.at<uchar>(y, x) > 0; }

    rf_refiner &refiner;
    cv::Mat &disparity, &trust;
};

} // namespace

extern "C" int rf_refiner_open(double keep, int sharpens, rf_refiner **refiner) {
    return guarded([&] { *refiner = new rf_refiner{keep, sharpens != 0, {}, {}, {}, {}, {}, {}, {}, {}}; });
}

extern "C" void rf_refiner_close(rf_refiner *refiner) { delete refiner; }

extern "C" int rf_refiner_refine(rf_refiner *refiner, const rf_image *picture, float *values, float *trusted) {
    return guarded([&] {
        const cv::Mat luma = refiner->picture.average(mat(picture), refiner->keep);
        cv::Mat disparity(luma.size(), CV_32F, values), trust(luma.size(), CV_32F, trusted);
        const float range = spread(disparity, trust, refiner->sorted), grain = roughness(disparity, trust, 0.08f * range);
        cv::Mat whole = disparity;
        // What has neither holes nor noise was drawn, not measured.
        if (grain < 5e-4f * range && cv::countNonZero(trust) == static_cast<int>(trust.total())) {
            if (refiner->sharpens)
                refiner->sharpener.sharpen(whole, luma, 0);
        } else {
            Steadying steadying(*refiner, disparity, trust);
            const float noise = std::max(grain, steadying.flicker()), tolerance = std::max(4 * noise, 0.01f * range);
            steadying.apply(tolerance, noise);
            whole = refiner->filler.fill(disparity, trust);
            if (refiner->sharpens) {
                refiner->filler.smooth(trust, luma);
                for (int y = 0; y < whole.rows; y++)
                    bound(whole.ptr<float>(y), disparity.ptr<float>(y), trust.ptr<float>(y), whole.cols, 2 * noise);
                refiner->sharpener.sharpen(whole, luma, noise);
            }
            const bool isFirst = refiner->whole.size() != whole.size();
            if (isFirst)
                whole.copyTo(refiner->whole);
            for (int y = 0; y < whole.rows; y++)
                steadyWhole(
                    whole.ptr<float>(y), refiner->whole.ptr<float>(y), refiner->picture.age.ptr<uchar>(y), refiner->age.ptr<uchar>(y), whole.cols,
                    2 * tolerance);
        }
        whole.copyTo(cv::Mat(luma.size(), CV_32F, values));
    });
}

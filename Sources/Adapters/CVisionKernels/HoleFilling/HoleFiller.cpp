#include "HoleFiller.hpp"

#include <algorithm>
#include <limits>

namespace rackfocus {

namespace {

const float none = std::numeric_limits<float>::infinity();

/// One row of a sweep: measured values start new rays, a hole meets the rays of four directions. `behind` and `ahead` hold the diagonal rays of the
/// row before, moved by a pixel.
TARGET_CLONES void meetRays(
    const float *__restrict value, const float *__restrict trust, const float *__restrict beside, float *__restrict straight,
    const float *__restrict behind, float *__restrict newBehind, const float *__restrict ahead, float *__restrict newAhead, float *__restrict lowest,
    float *__restrict secondLowest, int width) {
    const auto least = [](float a, float b) __attribute__((always_inline)) { return a < b ? a : b; };
    const auto most = [](float a, float b) __attribute__((always_inline)) { return a > b ? a : b; };
    for (int x = 0; x < width; x++) {
        const bool isMeasured = trust[x] > 0;
        const float own = value[x], fromAbove = straight[x], fromBehind = behind[x], fromAhead = ahead[x];
        straight[x] = isMeasured ? own : fromAbove;
        newBehind[x] = isMeasured ? own : fromBehind;
        newAhead[x] = isMeasured ? own : fromAhead;
        // The two lowest of two pairs and of the two before.
        const float a = least(fromAbove, beside[x]), b = most(fromAbove, beside[x]);
        const float c = least(fromBehind, fromAhead), d = most(fromBehind, fromAhead);
        const float e = least(a, c), f = least(most(a, c), least(b, d));
        secondLowest[x] = least(most(lowest[x], e), least(secondLowest[x], f));
        lowest[x] = least(lowest[x], e);
    }
}

/// Weighs values by their confidence; a filled one has little.
TARGET_CLONES void weighRow(const float *__restrict trust, float *__restrict value, float *__restrict weight, int width) {
    for (int x = 0; x < width; x++) {
        weight[x] = trust[x] * 0.97f + 0.03f;
        value[x] *= weight[x];
    }
}

TARGET_CLONES void fillRow(
    const float *__restrict value, const float *__restrict trust, const float *__restrict lowest, const float *__restrict secondLowest,
    float *__restrict out, int width) {
    for (int x = 0; x < width; x++) {
        const float background = secondLowest[x] < none ? secondLowest[x] : (lowest[x] < none ? lowest[x] : 0);
        out[x] = trust[x] > 0 ? value[x] : background;
    }
}

TARGET_CLONES void divideRow(float *__restrict value, const float *__restrict weight, int width) {
    for (int x = 0; x < width; x++)
        value[x] /= weight[x];
}

} // namespace

void HoleFiller::sweep(PlaneView<const float> disparity, PlaneView<const float> trust, bool isDownwards) {
    const int width = disparity.width, height = disparity.height, step = isDownwards ? 1 : -1;
    for (auto *each : {&straight, &diagonals[0][0], &diagonals[0][1], &diagonals[1][0], &diagonals[1][1], &beside})
        each->assign(static_cast<size_t>(width) + 2, none);
    for (int j = 0; j < height; j++) {
        const int y = isDownwards ? j : height - 1 - j;
        const float *values = disparity.row(y), *trusts = trust.row(y);
        float last = none;
        float *const nearest = beside.data();
        const auto advance = [&](int x) {
            last = trusts[x] > 0 ? values[x] : last;
            nearest[x] = last;
        };
        if (isDownwards)
            for (int x = 0; x < width; x++)
                advance(x);
        else
            for (int x = width - 1; x >= 0; x--)
                advance(x);
        meetRays(
            values, trusts, beside.data(), straight.data(), diagonals[0][0].data() + 1 - step, diagonals[0][1].data() + 1,
            diagonals[1][0].data() + 1 + step, diagonals[1][1].data() + 1, lowest.row(y), secondLowest.row(y), width);
        for (auto &diagonal : diagonals)
            std::swap(diagonal[0], diagonal[1]);
    }
}

PlaneView<float> HoleFiller::fill(PlaneView<const float> disparity, PlaneView<const float> trust) {
    for (Plane<float> *each : {&filled, &lowest, &secondLowest})
        each->resize(disparity.width, disparity.height);
    lowest.fill(none);
    secondLowest.fill(none);
    sweep(disparity, trust, true);
    sweep(disparity, trust, false);
    for (int y = 0; y < disparity.height; y++)
        fillRow(disparity.row(y), trust.row(y), lowest.row(y), secondLowest.row(y), filled.row(y), filled.width);
    return filled.view();
}

PlaneView<float> HoleFiller::take(PlaneView<const float> map) {
    filled.copy(map);
    return filled.view();
}

PlaneView<float> HoleFiller::smooth(PlaneView<const float> trust, PlaneView<const uint8_t> luma) {
    weight.resize(filled.width, filled.height);
    for (int y = 0; y < filled.height; y++)
        weighRow(trust.row(y), filled.row(y), weight.row(y), filled.width);
    const float lambda = 40, sigma = 4;
    smoother.smooth(luma, lambda, sigma, filled.view(), weight.view());
    for (int y = 0; y < filled.height; y++)
        divideRow(filled.row(y), weight.row(y), filled.width);
    return filled.view();
}

} // namespace rackfocus

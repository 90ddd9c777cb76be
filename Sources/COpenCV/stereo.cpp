#include "door.hpp"
#include "fast.hpp"
#include "semiglobal.hpp"
#include "still.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

using namespace rackfocus;

namespace {

/// A pixel is trusted, and of one surface with the one before it, with the one above it.
const uint8_t trusted = 1, beside = 2, above = 4;

FAST void findBonds(
    const float *__restrict value, const float *__restrict valueAbove, const float *__restrict trust, const float *__restrict trustAbove, int width,
    uint8_t *__restrict out) {
    const auto bond = [&](int x, bool isBeside) __attribute__((always_inline)) {
        const bool isTrusted = trust[x] > 0, isAbove = isTrusted & (trustAbove[x] > 0) & (std::abs(value[x] - valueAbove[x]) <= 1);
        out[x] = static_cast<uint8_t>((isTrusted ? trusted : 0) | (isBeside ? beside : 0) | (isAbove ? above : 0));
    };
    bond(0, false);
    for (int x = 1; x < width; x++)
        bond(x, (trust[x] > 0) & (trust[x - 1] > 0) & (std::abs(value[x] - value[x - 1]) <= 1));
}

/// The first place from `x` on, before `end`, whose bonds have any of `bits`, or lack one where `has` is false. Eight are looked at together.
template <bool has> int seek(const std::vector<uint8_t> &bonds, int x, int end, uint8_t bits) {
    for (; x < end; x += 8) {
        uint64_t eight;
        std::memcpy(&eight, bonds.data() + x, 8);
        if (const uint64_t those = (has ? eight : ~eight) & bits * 0x0101010101010101u)
            return std::min(x + __builtin_ctzll(those) / 8, end);
    }
    return end;
}

/// Takes the trust from islands: what is too small to be a surface, and farther than a pixel of disparity from what surrounds it.
class Islands {
public:
    void distrust(const cv::Mat &disparity, cv::Mat &trust) {
        runs.clear();
        bonds.assign(static_cast<size_t>(disparity.cols) + 7, 0);
        size_t last = 0;
        for (int y = 0; y < disparity.rows; y++) {
            const size_t first = runs.size();
            findBonds(
                disparity.ptr<float>(y), disparity.ptr<float>(std::max(y - 1, 0)), trust.ptr<float>(y), trust.ptr<float>(std::max(y - 1, 0)),
                disparity.cols, bonds.data());
            follow(y, disparity.cols, last, first);
            last = first;
        }
        for (const Run &run : runs)
            runs[root(run.parent)].size += run.to - run.from;
        const int least = static_cast<int>(static_cast<double>(disparity.total()) * share);
        for (const Run &run : runs)
            if (runs[root(run.parent)].size <= least)
                std::fill(trust.ptr<float>(run.row) + run.from, trust.ptr<float>(run.row) + run.to, 0.f);
    }

private:
    /// Neighbours in a row that belong together, and how large all is that it was joined with.
    struct Run {
        uint32_t parent;
        int row, from, to, size;
    };

    /// Islands are smaller than this share of the picture.
    static constexpr double share = 1.0 / 1500;
    std::vector<Run> runs;
    /// Of one row, and as many more as are looked at together.
    std::vector<uint8_t> bonds;

    uint32_t root(uint32_t run) {
        while (runs[run].parent != run)
            run = runs[run].parent = runs[runs[run].parent].parent;
        return run;
    }

    /// Finds the runs of a row and joins them with those of the row above, which are from `other` to `first`.
    void follow(int y, int width, size_t other, size_t first) {
        for (int x = seek<true>(bonds, 0, width, trusted); x < width;) {
            const int end = seek<false>(bonds, x + 1, width, beside);
            const uint32_t run = static_cast<uint32_t>(runs.size());
            runs.push_back({run, y, x, end, 0});
            while (other < first && runs[other].to <= x)
                other++;
            for (size_t next = other; next < first && runs[next].from < end; next++) {
                const int from = std::max(x, runs[next].from), to = std::min(end, runs[next].to);
                if (seek<true>(bonds, from, to, above) == to)
                    continue;
                const uint32_t a = root(run), b = root(static_cast<uint32_t>(next));
                runs[std::max(a, b)].parent = std::min(a, b);
            }
            x = seek<true>(bonds, end, width, trusted);
        }
    }
};

} // namespace

struct rf_stereo {
    explicit rf_stereo(int range) : matcher(range) {}

    SemiGlobal matcher;
    StillPicture left, right;
    Islands islands;
};

extern "C" int rf_stereo_open(int range, rf_stereo **stereo) {
    return guarded([&] { *stereo = new rf_stereo(range); });
}

extern "C" void rf_stereo_close(rf_stereo *stereo) { delete stereo; }

extern "C" int rf_stereo_match(rf_stereo *stereo, const rf_image *left, const rf_image *right, double keep, float *out, float *trusted) {
    return guarded([&] {
        const cv::Mat first = stereo->left.average(mat(left), keep), second = stereo->right.average(mat(right), keep);
        cv::Mat disparity(first.size(), CV_32F, out), trust(first.size(), CV_32F, trusted);
        stereo->matcher.match(first.data, second.data, first.cols, first.rows, out, trusted);
        stereo->islands.distrust(disparity, trust);
    });
}

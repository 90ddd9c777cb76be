#include "semiglobal.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <cstring>

// The loops below are written for the compiler's vectoriser; each processor takes the widest version it can run, all with the same bits.
// (Only arithmetic in them: what a clone instantiates of a template may be missing where nothing else does.)
#define FAST __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#define INLINE __attribute__((always_inline)) static inline

namespace rackfocus {

namespace {

const int halfWidth = 4, halfHeight = 3;
/// What a place outside the right picture costs: less than a match by chance, more than a true one.
const uint8_t unseen = 12;
const uint8_t smallStep = 10;
/// The most a path may hold, so that a step on it stays within 8 bits.
const uint8_t highest = 255 - smallStep;
const int largeStep = 90, leastStep = 24;

/// As many disparities as are worked on at once.
const int lanes = 32;
typedef uint8_t Cells __attribute__((vector_size(lanes)));
typedef uint16_t Sums __attribute__((vector_size(2 * lanes)));
typedef uint64_t Signatures __attribute__((vector_size(64)));
typedef uint8_t Bytes __attribute__((vector_size(8)));
typedef uint32_t Keys __attribute__((vector_size(4 * lanes)));

INLINE int smaller(int a, int b) { return a < b ? a : b; }
INLINE int larger(int a, int b) { return a > b ? a : b; }
INLINE std::ptrdiff_t offset(int row, int length) { return static_cast<std::ptrdiff_t>(row) * length; }

/// Which of the 9 x 7 pixels around each are darker than it; `padded` has that much more on every side.
FAST void census(const uint8_t *padded, int width, int height, uint64_t *out) {
    const int stride = width + 2 * halfWidth;
    for (int y = 0; y < height; y++) {
        uint64_t *row = out + offset(y, width);
        const uint8_t *centre = padded + offset(y + halfHeight, stride) + halfWidth;
        for (int x = 0; x < width; x++)
            row[x] = 0;
        int bit = 0;
        for (int j = -halfHeight; j <= halfHeight; j++)
            for (int i = -halfWidth; i <= halfWidth; i++) {
                if (i == 0 && j == 0)
                    continue;
                const uint8_t *other = centre + offset(j, stride) + i;
                for (int x = 0; x < width; x++)
                    row[x] |= static_cast<uint64_t>(other[x] < centre[x]) << bit;
                bit++;
            }
    }
}

/// `reversed` holds the right picture's signatures from right to left, so that growing disparities lie in growing places.
FAST void costsOfRow(const uint64_t *left, const uint64_t *reversed, int width, int range, uint8_t *out) {
    for (int x = 0; x < width; x++) {
        const int seen = smaller(range, x + 1);
        const uint64_t *others = reversed + (width - 1 - x);
        const uint64_t signature = left[x];
        uint8_t *row = out + offset(x, range);
        for (int d = 0; d < range; d += 8) {
            Signatures other; // beyond the picture's edge lies padding
            __builtin_memcpy(&other, others + d, sizeof other);
            const Bytes cost = __builtin_convertvector(__builtin_elementwise_popcount(other ^ signature), Bytes);
            __builtin_memcpy(row + d, &cost, sizeof cost);
        }
        for (int d = seen; d < range; d++)
            row[d] = unseen;
    }
}

/// One pixel of one path: `before` and `after` have a cell of padding on either side, their smallest value is 0.
INLINE void advance(const uint8_t *cost, const uint8_t *before, uint8_t *after, uint16_t *sum, int range, uint8_t large) {
    Cells bottom = Cells{} + uint8_t(255);
    const Cells most = Cells{} + large;
    for (int d = 0; d < range; d += lanes) {
        Cells own, at, lower, upper;
        __builtin_memcpy(&own, cost + d, lanes);
        __builtin_memcpy(&at, before + d, lanes);
        __builtin_memcpy(&lower, before + d - 1, lanes);
        __builtin_memcpy(&upper, before + d + 1, lanes);
        const Cells beside = __builtin_elementwise_min(lower, upper) + smallStep;
        const Cells value = own + __builtin_elementwise_min(__builtin_elementwise_min(at, beside), most);
        __builtin_memcpy(after + d, &value, lanes);
        bottom = __builtin_elementwise_min(bottom, value);
    }
    const uint8_t least = __builtin_reduce_min(bottom);
    for (int d = 0; d < range; d += lanes) {
        Cells value;
        Sums total;
        __builtin_memcpy(&value, after + d, lanes);
        __builtin_memcpy(&total, sum + d, sizeof total);
        value -= least;
        total += __builtin_convertvector(value, Sums);
        __builtin_memcpy(after + d, &value, lanes);
        __builtin_memcpy(sum + d, &total, sizeof total);
    }
}

/// A change of disparity is cheaper where the picture changes too.
INLINE uint8_t penalty(int a, int b) { return static_cast<uint8_t>(larger(leastStep, largeStep - 2 * larger(a - b, b - a))); }

/// Three paths from the row before; `next` and `last` hold them side by side for each pixel.
FAST void acrossRows(
    const uint8_t *cost, const uint8_t *luma, const uint8_t *lastLuma, const uint8_t *last, uint8_t *next, uint16_t *sum, int width, int range, int stride) {
    for (int x = 0; x < width; x++)
        for (int path = 0; path < 3; path++) {
            const int from = x + path - 1;
            const bool inside = from >= 0 && from < width;
            const int nearest = inside ? from : x;
            advance(
                cost + offset(x, range), last + offset(nearest * 3 + path, stride), next + offset(x * 3 + path, stride), sum + offset(x, range),
                range, penalty(luma[x], lastLuma[nearest]));
        }
}

/// The paths to the right and to the left, step by step side by side; `cells` holds two of each.
FAST void alongRow(const uint8_t *cost, const uint8_t *luma, uint8_t *cells, uint16_t *sum, int width, int range, int stride) {
    uint8_t *before = cells, *after = cells + 2 * stride;
    for (int d = 0; d < range; d++)
        before[d] = before[stride + d] = 0;
    for (int x = 0; x < width; x++) {
        const int back = width - 1 - x;
        advance(cost + offset(x, range), before, after, sum + offset(x, range), range, penalty(luma[x], luma[larger(x - 1, 0)]));
        advance(
            cost + offset(back, range), before + stride, after + stride, sum + offset(back, range), range,
            penalty(luma[back], luma[smaller(back + 1, width - 1)]));
        uint8_t *const old = before;
        before = after;
        after = old;
    }
}

/// The right picture's best matches, from right to left: the sum and the disparity at each place.
FAST void seenFromRight(const uint16_t *sums, int width, int range, uint16_t *best, uint16_t *disparity) {
    for (int x = 0; x < width + range; x++)
        best[x] = 65535;
    Sums ramp;
    for (int d = 0; d < lanes; d++)
        ramp[d] = static_cast<uint16_t>(d);
    for (int x = 0; x < width; x++) {
        const uint16_t *sum = sums + offset(x, range);
        uint16_t *__restrict values = best + (width - 1 - x), *__restrict places = disparity + (width - 1 - x);
        for (int d = 0; d < range; d += lanes) {
            Sums own, value, place;
            __builtin_memcpy(&own, sum + d, sizeof own);
            __builtin_memcpy(&value, values + d, sizeof value);
            __builtin_memcpy(&place, places + d, sizeof place);
            const Sums better = reinterpret_cast<Sums>(own < value);
            value = (own & better) | (value & ~better);
            place = ((ramp + static_cast<uint16_t>(d)) & better) | (place & ~better);
            __builtin_memcpy(values + d, &value, sizeof value);
            __builtin_memcpy(places + d, &place, sizeof place);
        }
    }
}

struct Choice {
    int disparity;
    int best;
    /// The best sum that is not beside the chosen one.
    int other;
};

FAST void chooseBest(uint16_t *sums, int width, int range, Choice *out) {
    Keys ramp;
    for (int d = 0; d < lanes; d++)
        ramp[d] = static_cast<uint32_t>(d);
    for (int x = 0; x < width; x++) {
        uint16_t *sum = sums + offset(x, range);
        Keys keys = Keys{} + UINT32_MAX;
        for (int d = 0; d < range; d += lanes) {
            Sums own;
            __builtin_memcpy(&own, sum + d, sizeof own);
            keys = __builtin_elementwise_min(keys, (__builtin_convertvector(own, Keys) << 8) + (ramp + static_cast<uint32_t>(d)));
        }
        const uint32_t key = __builtin_reduce_min(keys);
        const int chosen = static_cast<int>(key & 255), first = larger(0, chosen - 1), last = smaller(range - 1, chosen + 1);
        uint16_t kept[3];
        for (int d = first; d <= last; d++) {
            kept[d - first] = sum[d];
            sum[d] = 65535;
        }
        Sums others = Sums{} + uint16_t(65535);
        for (int d = 0; d < range; d += lanes) {
            Sums own;
            __builtin_memcpy(&own, sum + d, sizeof own);
            others = __builtin_elementwise_min(others, own);
        }
        for (int d = first; d <= last; d++)
            sum[d] = kept[d - first];
        out[x].disparity = chosen;
        out[x].best = static_cast<int>(key >> 8);
        out[x].other = __builtin_reduce_min(others);
    }
}

std::vector<uint64_t> signatures(const uint8_t *picture, int width, int height) {
    const int stride = width + 2 * halfWidth;
    std::vector<uint8_t> padded(static_cast<size_t>(stride) * (height + 2 * halfHeight));
    for (int y = 0; y < height + 2 * halfHeight; y++) {
        const uint8_t *row = picture + offset(std::clamp(y - halfHeight, 0, height - 1), width);
        for (int x = 0; x < stride; x++)
            padded[static_cast<size_t>(offset(y, stride) + x)] = row[std::clamp(x - halfWidth, 0, width - 1)];
    }
    std::vector<uint64_t> result(static_cast<size_t>(offset(height, width)));
    census(padded.data(), width, height, result.data());
    return result;
}

} // namespace

void SemiGlobal::match(const uint8_t *left, const uint8_t *right, int newWidth, int height, float *disparity, float *trust) {
    width = newWidth;
    const std::vector<uint64_t> leftCensus = signatures(left, width, height), rightCensus = signatures(right, width, height);
    std::vector<uint64_t> reversed(static_cast<size_t>(width + range));
    std::vector<uint8_t> costs(static_cast<size_t>(offset(width, range))), cells(static_cast<size_t>(4 * stride), highest);
    startRows();
    for (int y = 0; y < height; y++) {
        const uint64_t *signature = rightCensus.data() + offset(y, width);
        const uint8_t *luma = left + offset(y, width), *before = left + offset(std::max(y - 1, 0), width);
        std::reverse_copy(signature, signature + width, reversed.begin());
        costsOfRow(leftCensus.data() + offset(y, width), reversed.data(), width, range, costs.data());
        sums.assign(costs.size(), 0);
        alongRow(costs.data(), luma, cells.data() + pad, sums.data(), width, range, stride);
        acrossRows(costs.data(), luma, before, rows[0].data() + pad, rows[1].data() + pad, sums.data(), width, range, stride);
        std::swap(rows[0], rows[1]);
        chooseRow(disparity + offset(y, width), trust + offset(y, width));
    }
}

void SemiGlobal::startRows() {
    for (std::vector<uint8_t> &row : rows) {
        row.assign(static_cast<size_t>(offset(width, 3 * stride)), highest);
        for (int i = 0; i < 3 * width; i++)
            std::memset(row.data() + offset(i, stride) + pad, 0, static_cast<size_t>(range));
    }
}

void SemiGlobal::chooseRow(float *disparity, float *trust) {
    std::vector<Choice> choices(static_cast<size_t>(width));
    uint16_t *row = sums.data();
    rightBest.resize(static_cast<size_t>(width + range));
    rightDisparity.resize(static_cast<size_t>(width + range));
    chooseBest(row, width, range, choices.data());
    seenFromRight(row, width, range, rightBest.data(), rightDisparity.data());
    for (int x = 0; x < width; x++) {
        const Choice choice = choices[static_cast<size_t>(x)];
        const uint16_t *sum = row + offset(x, range);
        const int d = choice.disparity;
        float value = static_cast<float>(d);
        if (d > 0 && d < range - 1) {
            const int before = sum[d - 1] - choice.best, after = sum[d + 1] - choice.best, steepest = std::max(before, after);
            if (steepest > 0)
                value += 0.5f * static_cast<float>(before - after) / static_cast<float>(steepest);
        }
        disparity[x] = value;
        const bool isMutual = d <= x && std::abs(rightDisparity[static_cast<size_t>(width - 1 - x + d)] - d) <= 1;
        const bool isUnique = choice.other * 100 > choice.best * 102;
        trust[x] = isMutual && isUnique ? 1 : 0;
    }
}

} // namespace rackfocus

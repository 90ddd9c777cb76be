#include "semiglobal.hpp"
#include "fast.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#define INLINE __attribute__((always_inline)) static inline

namespace rackfocus {

namespace {

const int halfWidth = 4, halfHeight = 3;
/// What a place outside the right picture costs: less than a match by chance, more than a true one.
const uint8_t unseen = 12;
const uint8_t smallStep = 10;
/// What a path holds beyond its ends: more than inside, and a step on it stays within 8 bits.
const uint8_t highest = 255 - smallStep;
const int largeStep = 90, leastStep = 24;

/// As many disparities, or pixels, as are worked on at once.
const int lanes = 32, mostBlocks = 8;
typedef uint8_t Cells __attribute__((vector_size(lanes)));
typedef uint16_t Sums __attribute__((vector_size(2 * lanes)));
typedef uint64_t Signatures __attribute__((vector_size(64)));
typedef uint8_t Bytes __attribute__((vector_size(8)));

INLINE int smaller(int a, int b) { return a < b ? a : b; }
INLINE int larger(int a, int b) { return a > b ? a : b; }
INLINE int upToLanes(int count) { return (count + lanes - 1) / lanes * lanes; }
INLINE std::ptrdiff_t offset(int row, int length) { return static_cast<std::ptrdiff_t>(row) * length; }

/// Which of the 9 x 7 pixels around each are darker than it; `padded` has that much more on every side, and whole steps of lanes to the row.
FAST void census(const uint8_t *padded, int width, int height, uint64_t *out) {
    const int stride = upToLanes(width) + 2 * halfWidth, around = (2 * halfWidth + 1) * (2 * halfHeight + 1);
    for (int y = 0; y < height; y++) {
        const uint8_t *centre = padded + offset(y + halfHeight, stride) + halfWidth;
        for (int x = 0; x < width; x += lanes) {
            Cells own, bytes[8];
            __builtin_memcpy(&own, centre + x, lanes);
            // Eight comparisons fill a byte; the one of a pixel with itself says nothing.
#pragma clang loop unroll(full)
            for (int byte = 0; byte < 8; byte++) {
                bytes[byte] = Cells{};
#pragma clang loop unroll(full)
                for (int bit = 0; bit < 8; bit++) {
                    const int i = 8 * byte + bit;
                    if (i >= around)
                        continue;
                    Cells other;
                    __builtin_memcpy(&other, centre + x + offset(i / 9 - halfHeight, stride) + i % 9 - halfWidth, lanes);
                    bytes[byte] |= reinterpret_cast<Cells>(other < own) & static_cast<uint8_t>(1 << bit);
                }
            }
            uint64_t *row = out + offset(y, width) + x;
            for (int i = 0; i < smaller(lanes, width - x); i++) {
                uint64_t signature = 0;
#pragma clang loop unroll(full)
                for (int byte = 0; byte < 8; byte++)
                    signature |= static_cast<uint64_t>(bytes[byte][i]) << (8 * byte);
                row[i] = signature;
            }
        }
    }
}

/// `reversed` holds the right picture's signatures from right to left, so that growing disparities lie in growing places.
INLINE void costsOfRow(const uint64_t *left, const uint64_t *reversed, int width, int range, uint8_t *out) {
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

/// A block of disparities from its `i`-th on, continued by the block that follows it.
#define FROM(i, block, next) \
    __builtin_shufflevector( \
        block, next, i, i + 1, i + 2, i + 3, i + 4, i + 5, i + 6, i + 7, i + 8, i + 9, i + 10, i + 11, i + 12, i + 13, i + 14, i + 15, i + 16, \
        i + 17, i + 18, i + 19, i + 20, i + 21, i + 22, i + 23, i + 24, i + 25, i + 26, i + 27, i + 28, i + 29, i + 30, i + 31)

/// One step of a path: `at` is a block of what it held before, with the blocks of less and of more disparity, `base` the least of all that it held.
/// What it holds now counts from there on; it goes into `total` and `least`, too.
INLINE void advance(
    const Cells &cost, const Cells &less, const Cells &at, const Cells &more, const Cells &base, uint8_t large, Cells &now, Sums &total, Cells &least) {
    const Cells beside = __builtin_elementwise_min(FROM(31, less, at), FROM(1, at, more)) + smallStep;
    now = cost + (__builtin_elementwise_min(__builtin_elementwise_min(at, beside), base + large) - base);
    least = __builtin_elementwise_min(least, now);
    total += __builtin_convertvector(now, Sums);
}

/// A change of disparity is cheaper where the picture changes too.
INLINE uint8_t penalty(int a, int b) { return static_cast<uint8_t>(larger(leastStep, largeStep - 2 * larger(a - b, b - a))); }

/// One row, from left to right: sums of the path from the left and of the three from the row before, and what they are too high by. Those three
/// lie side by side for each pixel in `last` and `next`, the least they hold in `lastLeast` and `nextLeast`.
INLINE void goRight(
    const uint8_t *costs, const uint8_t *luma, const uint8_t *lastLuma, const uint8_t *last, uint8_t *next, const uint8_t *lastLeast,
    uint8_t *nextLeast, uint16_t *sums, uint16_t *surplus, int width, int range) {
    const Cells rim = Cells{} + highest, none = Cells{} + uint8_t(255);
    Cells along[mostBlocks], base = Cells{};
    for (int d = 0; d < range; d += lanes)
        along[d / lanes] = Cells{};
    for (int x = 0; x < width; x++) {
        const uint8_t *from[3];
        Cells bases[3], least[4] = {none, none, none, none};
        uint8_t large[4];
        for (int path = 0; path < 3; path++) {
            const int beside = x + path - 1, nearest = beside < 0 || beside >= width ? x : beside, at = 3 * nearest + path;
            from[path] = last + offset(at, range);
            bases[path] = Cells{} + lastLeast[at];
            large[path] = penalty(luma[x], lastLuma[nearest]);
        }
        large[3] = penalty(luma[x], luma[larger(x - 1, 0)]);
        Cells less = rim;
        for (int d = 0; d < range; d += lanes) {
            const bool isLast = d + lanes == range;
            Cells cost, now;
            __builtin_memcpy(&cost, costs + offset(x, range) + d, lanes);
            Sums total = Sums{};
            for (int path = 0; path < 3; path++) {
                Cells below = rim, at, above = rim;
                __builtin_memcpy(&at, from[path] + d, lanes);
                if (d > 0)
                    __builtin_memcpy(&below, from[path] + d - lanes, lanes);
                if (!isLast)
                    __builtin_memcpy(&above, from[path] + d + lanes, lanes);
                advance(cost, below, at, above, bases[path], large[path], now, total, least[path]);
                __builtin_memcpy(next + offset(3 * x + path, range) + d, &now, lanes);
            }
            const Cells at = along[d / lanes];
            advance(cost, less, at, isLast ? rim : along[d / lanes + 1], base, large[3], along[d / lanes], total, least[3]);
            less = at;
            __builtin_memcpy(sums + offset(x, range) + d, &total, sizeof total);
        }
        base = Cells{} + __builtin_reduce_min(least[3]);
        surplus[x] = base[0];
        for (int path = 0; path < 3; path++)
            surplus[x] += nextLeast[3 * x + path] = __builtin_reduce_min(least[path]);
    }
}

INLINE SemiGlobal::Choice choose(const uint16_t *sum, int range) {
    Sums ramp, least = Sums{} + uint16_t(65535), place = Sums{}, others = least;
    for (int d = 0; d < lanes; d++)
        ramp[d] = static_cast<uint16_t>(d);
    for (int d = 0; d < range; d += lanes) {
        Sums own;
        __builtin_memcpy(&own, sum + d, sizeof own);
        const Sums isLess = reinterpret_cast<Sums>(own < least);
        place = ((ramp + static_cast<uint16_t>(d)) & isLess) | (place & ~isLess);
        least = __builtin_elementwise_min(least, own);
    }
    const uint16_t best = __builtin_reduce_min(least);
    const uint16_t chosen = __builtin_reduce_min(place | reinterpret_cast<Sums>(least != best));
    for (int d = 0; d < range; d += lanes) {
        Sums own;
        __builtin_memcpy(&own, sum + d, sizeof own);
        const Sums apart = ramp + static_cast<uint16_t>(d + 1 - chosen);
        others = __builtin_elementwise_min(others, own | reinterpret_cast<Sums>(apart < uint16_t(3)));
    }
    const int d = chosen;
    return {d, best, __builtin_reduce_min(others), sum[larger(d - 1, 0)], sum[smaller(d + 1, range - 1)]};
}

/// The same row from right to left: the last path, and what is best then, seen from the left and from the right.
INLINE void goLeft(
    const uint8_t *costs, const uint8_t *luma, uint16_t *sums, const uint16_t *surplus, int width, int range, SemiGlobal::Choice *choices,
    uint16_t *rightDisparity) {
    const Cells rim = Cells{} + highest;
    const Sums none = Sums{} + uint16_t(65535);
    Cells along[mostBlocks], base = Cells{};
    // Of the right picture's pixels that are still to be met, by their distance to the left: the least sum so far, and its disparity.
    Sums seen[mostBlocks], place[mostBlocks], ramp;
    for (int d = 0; d < lanes; d++)
        ramp[d] = static_cast<uint16_t>(d);
    for (int b = 0; b < range / lanes; b++) {
        along[b] = Cells{};
        seen[b] = none;
        place[b] = Sums{};
    }
    for (int x = width - 1; x >= 0; x--) {
        uint16_t *sum = sums + offset(x, range);
        const uint8_t large = penalty(luma[x], luma[smaller(x + 1, width - 1)]);
        Cells least = Cells{} + uint8_t(255), less = rim;
        for (int d = 0; d < range; d += lanes) {
            Cells cost;
            Sums total;
            __builtin_memcpy(&cost, costs + offset(x, range) + d, lanes);
            __builtin_memcpy(&total, sum + d, sizeof total);
            const Cells at = along[d / lanes];
            advance(cost, less, at, d + lanes == range ? rim : along[d / lanes + 1], base, large, along[d / lanes], total, least);
            less = at;
            __builtin_memcpy(sum + d, &total, sizeof total);
        }
        base = Cells{} + __builtin_reduce_min(least);
        const uint16_t excess = static_cast<uint16_t>(surplus[x] + base[0]);
        for (int b = 0; b < range / lanes; b++) {
            Sums own;
            __builtin_memcpy(&own, sum + b * lanes, sizeof own);
            own -= excess;
            __builtin_memcpy(sum + b * lanes, &own, sizeof own);
            // Of two that are as good the one farther to the left wins.
            const Sums isBetter = reinterpret_cast<Sums>(own <= seen[b]);
            seen[b] = __builtin_elementwise_min(own, seen[b]);
            place[b] = ((ramp + static_cast<uint16_t>(b * lanes)) & isBetter) | (place[b] & ~isBetter);
        }
        choices[x] = choose(sum, range);
        rightDisparity[x] = place[0][0];
        for (int b = 0; b < range / lanes; b++) {
            const bool isLast = (b + 1) * lanes == range;
            seen[b] = FROM(1, seen[b], (isLast ? none : seen[b + 1]));
            place[b] = FROM(1, place[b], (isLast ? none : place[b + 1]));
        }
    }
}

FAST void matchRow(
    const uint64_t *signatures, const uint64_t *reversed, const uint8_t *luma, const uint8_t *lastLuma, const uint8_t *last, uint8_t *next,
    const uint8_t *lastLeast, uint8_t *nextLeast, uint8_t *costs, uint16_t *sums, uint16_t *surplus, int width, int range,
    SemiGlobal::Choice *choices, uint16_t *rightDisparity) {
    // The usual range is known to the compiler, which then keeps what goes from pixel to pixel in registers.
    const auto go = [&](int known) __attribute__((always_inline)) {
        costsOfRow(signatures, reversed, width, known, costs);
        goRight(costs, luma, lastLuma, last, next, lastLeast, nextLeast, sums, surplus, width, known);
        goLeft(costs, luma, sums, surplus, width, known, choices, rightDisparity);
    };
    if (range == 64)
        go(64);
    else
        go(range);
}

} // namespace

void SemiGlobal::sign(const uint8_t *picture, int height, std::vector<uint64_t> &signatures) {
    const int stride = upToLanes(width) + 2 * halfWidth;
    padded.resize(static_cast<size_t>(offset(height + 2 * halfHeight, stride)));
    for (int y = 0; y < height + 2 * halfHeight; y++) {
        const uint8_t *from = picture + offset(std::clamp(y - halfHeight, 0, height - 1), width);
        uint8_t *row = padded.data() + offset(y, stride);
        std::fill_n(row, halfWidth, from[0]);
        std::copy_n(from, width, row + halfWidth);
        std::fill(row + halfWidth + width, row + stride, from[width - 1]);
    }
    signatures.resize(static_cast<size_t>(offset(height, width)));
    census(padded.data(), width, height, signatures.data());
}

void SemiGlobal::match(const uint8_t *left, const uint8_t *right, int newWidth, int height, float *disparity, float *trust) {
    width = newWidth;
    sign(left, height, leftCensus);
    sign(right, height, rightCensus);
    startRows();
    for (int y = 0; y < height; y++) {
        const uint64_t *signature = rightCensus.data() + offset(y, width);
        const uint8_t *luma = left + offset(y, width), *before = left + offset(std::max(y - 1, 0), width);
        std::reverse_copy(signature, signature + width, reversed.begin());
        matchRow(
            leftCensus.data() + offset(y, width), reversed.data(), luma, before, rows[0].data(), rows[1].data(), leasts[0].data(), leasts[1].data(),
            costs.data(), sums.data(), surplus.data(), width, range, choices.data(), rightDisparity.data());
        std::swap(rows[0], rows[1]);
        std::swap(leasts[0], leasts[1]);
        writeRow(disparity + offset(y, width), trust + offset(y, width));
    }
}

void SemiGlobal::startRows() {
    const size_t pixels = static_cast<size_t>(width), cells = pixels * static_cast<size_t>(range);
    reversed.resize(pixels + static_cast<size_t>(range));
    costs.resize(cells);
    sums.resize(cells);
    surplus.resize(pixels);
    rightDisparity.resize(pixels);
    choices.resize(pixels);
    for (int i = 0; i < 2; i++) {
        rows[i].assign(3 * cells, 0);
        leasts[i].assign(3 * pixels, 0);
    }
}

void SemiGlobal::writeRow(float *disparity, float *trust) const {
    for (int x = 0; x < width; x++) {
        const Choice choice = choices[static_cast<size_t>(x)];
        const int d = choice.disparity;
        float value = static_cast<float>(d);
        if (d > 0 && d < range - 1) {
            const int before = choice.before - choice.best, after = choice.after - choice.best, steepest = std::max(before, after);
            if (steepest > 0)
                value += 0.5f * static_cast<float>(before - after) / static_cast<float>(steepest);
        }
        disparity[x] = value;
        const bool isMutual = d <= x && std::abs(rightDisparity[static_cast<size_t>(x - d)] - d) <= 1;
        const bool isUnique = choice.other * 100 > choice.best * 102;
        trust[x] = isMutual && isUnique ? 1 : 0;
    }
}

} // namespace rackfocus

#include "SemiglobalMatcher.hpp"

#include "Census.hpp"

#include <algorithm>
#include <utility>

namespace rackfocus {

namespace {

/// Cost of a disparity that leads outside the right picture: less than a match by chance, more than a true one.
const uint8_t outsideCost = 12;
/// Cost of a disparity beyond the range: above the largest census cost, 62, so that it never wins.
const uint8_t excludedCost = 100;
const uint8_t penalty1 = 10;
/// Path cost beyond the ends of the range: more than inside, and with P1 added still 8 bits.
const uint8_t rimCost = 255 - penalty1;
const uint8_t largestPenalty2 = 90, smallestPenalty2 = 24;

/// P2 of neighbouring pixels, less where the picture has a gradient: max(24, 90 - 2 |gradient|), where Hirschmüller 2008 has P2' / |gradient|.
INLINE void adaptPenalty2(const UnalignedBytes &a, const UnalignedBytes &b, UnalignedBytes &out) {
    const ByteLanes gradient = __builtin_elementwise_max(a, b) - __builtin_elementwise_min(a, b);
    const ByteLanes penalty = __builtin_elementwise_sub_sat(ByteLanes{} + largestPenalty2, __builtin_elementwise_add_sat(gradient, gradient));
    out = __builtin_elementwise_max(penalty, ByteLanes{} + smallestPenalty2);
}

#define EACH_BLOCK _Pragma("clang loop unroll(full)") for (int b = 0; b < blocks; b++)

/// A block of lanes shifted by `i`, continued by the block that follows it.
#define SHIFT_LANES(i, block, next) \
    __builtin_shufflevector( \
        block, next, i, i + 1, i + 2, i + 3, i + 4, i + 5, i + 6, i + 7, i + 8, i + 9, i + 10, i + 11, i + 12, i + 13, i + 14, i + 15, i + 16, \
        i + 17, i + 18, i + 19, i + 20, i + 21, i + 22, i + 23, i + 24, i + 25, i + 26, i + 27, i + 28, i + 29, i + 30, i + 31, i + 32, i + 33, \
        i + 34, i + 35, i + 36, i + 37, i + 38, i + 39, i + 40, i + 41, i + 42, i + 43, i + 44, i + 45, i + 46, i + 47, i + 48, i + 49, i + 50, \
        i + 51, i + 52, i + 53, i + 54, i + 55, i + 56, i + 57, i + 58, i + 59, i + 60, i + 61, i + 62, i + 63)

/// Path costs without the matching cost (Hirschmüller, eq. 13): min(L(d), L(d - 1) + P1, L(d + 1) + P1, min L + P2) for the neighbour's costs L,
/// whose minimum plus P2 is `cap`.
template <int blocks> INLINE void advancePath(const ByteLanes *at, const ByteLanes &cap, ByteLanes *out) {
    const ByteLanes rim = ByteLanes{} + rimCost;
    ByteLanes wide[blocks + 2];
    wide[0] = SHIFT_LANES(63, rim, at[blocks - 1]);
    wide[blocks + 1] = SHIFT_LANES(1, at[0], rim);
    EACH_BLOCK { wide[b + 1] = at[b]; }
    EACH_BLOCK {
        const ByteLanes beside = __builtin_elementwise_min(wide[b], wide[b + 2]) + penalty1;
        out[b] = __builtin_elementwise_min(__builtin_elementwise_min(at[b], beside), cap);
    }
}

template <int blocks> INLINE uint8_t reduceMinimum(const ByteLanes *values) {
    ByteLanes every = values[0];
#pragma clang loop unroll(full)
    for (int b = 1; b < blocks; b++)
        every = __builtin_elementwise_min(every, values[b]);
    int result = __builtin_reduce_min(every);
    // Hides that the result is broadcast next: the compiler would reduce in lanes, which takes longer.
    asm("" : "+r"(result));
    return static_cast<uint8_t>(result);
}

/// Disparities that the lanes of each block stand for: lane i of block b for d = i * blocks + b. So d - 1 and d + 1 lie in the same lane of the blocks
/// beside it, and only the first and the last block shift a lane. The mirrored right picture is stored by column % blocks, its phase, so that the
/// signatures of a block are one load.
template <int blocks> INLINE void laneDisparities(ByteLanes *out) {
    for (int b = 0; b < blocks; b++)
        for (int i = 0; i < lanes; i++)
            out[b][i] = static_cast<uint8_t>(i * blocks + b);
}

/// Inputs and outputs of one row.
struct Row {
    int width;
    /// The least disparity, and how many there are.
    int first, count;
    /// Census: of the left picture, in one phase; of the right picture from right to left, in as many phases as there are blocks of disparities.
    const uint8_t *left, *right;
    std::ptrdiff_t leftPlane, rightPlane, rightPhase;
    const uint8_t *luma, *aboveLuma;
    const uint8_t *above;
    uint8_t *next, *costs, *sums, *penalties;
    uint8_t *disparity, *leastSum, *secondSum, *sumBefore, *sumAfter, *rightDisparity;
};

/// Matching costs of a row.
template <int blocks> INLINE void computeCosts(const Row row) {
    const int paddedRange = blocks * lanes;
    ByteLanes disparities[blocks];
    laneDisparities<blocks>(disparities);
    for (int x = 0; x < row.width; x++) {
        const int columnsBefore = x - row.first;
        EACH_BLOCK {
            // The right picture is mirrored, so that growing disparities lie in growing columns.
            const int column = row.width - 1 - x + row.first + b;
            ByteLanes cost;
            hammingDistance(row.left + x, row.leftPlane, row.right + column % blocks * row.rightPhase + column / blocks, row.rightPlane, cost);
            if (columnsBefore < 0)
                cost = ByteLanes{} + outsideCost;
            else if (columnsBefore + 1 < paddedRange)
                cost = disparities[b] > static_cast<uint8_t>(columnsBefore) ? ByteLanes{} + outsideCost : cost;
            if (row.count < paddedRange)
                cost = disparities[b] < static_cast<uint8_t>(row.count) ? cost : ByteLanes{} + excludedCost;
            unaligned(row.costs + offset(x, paddedRange) + b * lanes) = cost;
        }
    }
}

/// Path costs of the three paths from the row above (0: from the upper left, 1: from above, 2: from the upper right), and their sums, which saturate at 255.
template <int blocks> INLINE void aggregateFromAbove(const Row row) {
    const int paddedRange = blocks * lanes;
    for (int x = 0; x < row.width; x++) {
        ByteLanes total[blocks], at[blocks], now[blocks];
        EACH_BLOCK { total[b] = ByteLanes{}; }
#pragma clang loop unroll(full)
        for (int path = 0; path < 3; path++) {
            const int beside = smaller(larger(x + path - 1, 0), row.width - 1);
            EACH_BLOCK { at[b] = unaligned(row.above + offset(3 * beside + path, paddedRange) + b * lanes); }
            advancePath<blocks>(at, ByteLanes{} + row.penalties[offset(path, row.width + lanes) + x], now);
            EACH_BLOCK { now[b] += unaligned(row.costs + offset(x, paddedRange) + b * lanes); }
            const ByteLanes lowest = ByteLanes{} + reduceMinimum<blocks>(now);
            EACH_BLOCK {
                now[b] -= lowest;
                total[b] = __builtin_elementwise_add_sat(total[b], now[b]);
                unaligned(row.next + offset(3 * x + path, paddedRange) + b * lanes) = now[b];
            }
        }
        EACH_BLOCK { unaligned(row.sums + offset(x, paddedRange) + b * lanes) = total[b]; }
    }
}

/// Path costs along the row.
template <int blocks> struct RowPath {
    ByteLanes at[blocks], base;

    INLINE_METHOD void start() {
        base = ByteLanes{};
        EACH_BLOCK { at[b] = base; }
    }

    INLINE_METHOD void advance(const Row &row, int x, uint8_t penalty) {
        const int paddedRange = blocks * lanes;
        ByteLanes now[blocks];
        advancePath<blocks>(at, base + penalty, now);
        EACH_BLOCK { at[b] = now[b] - base + unaligned(row.costs + offset(x, paddedRange) + b * lanes); }
        base = ByteLanes{} + reduceMinimum<blocks>(at);
        EACH_BLOCK {
            UnalignedBytes &sum = unaligned(row.sums + offset(x, paddedRange) + b * lanes);
            sum = __builtin_elementwise_add_sat(sum, at[b] - base);
        }
    }
};

/// Both paths along the row, interleaved: neither has to wait for the other.
template <int blocks> INLINE void aggregateAlongRow(const Row row) {
    const uint8_t *penalties = row.penalties + offset(3, row.width + lanes);
    RowPath<blocks> rightward, leftward;
    rightward.start();
    leftward.start();
    for (int x = 0; x < row.width; x++) {
        rightward.advance(row, x, penalties[x]);
        // Entry i is the P2 of the step between i - 1 and i, so a step to the left from i to i - 1 takes it too.
        leftward.advance(row, row.width - 1 - x, penalties[row.width - x]);
    }
}

/// Winner takes all at pixel `x`.
template <int blocks> INLINE void selectDisparity(const Row &row, int x, const ByteLanes *sums, const ByteLanes *disparities) {
    // The sum in the upper byte, its disparity in the lower one: one minimum gives both.
    WordLanes every = WordLanes{} + uint16_t(65535);
    EACH_BLOCK {
        const WordLanes sum = reinterpret_cast<WordLanes>(sums[b]), disparity = reinterpret_cast<WordLanes>(disparities[b]);
        const WordLanes even = (sum << 8) | (disparity & uint16_t(255)), odd = (sum & uint16_t(0xff00)) | (disparity >> 8);
        every = __builtin_elementwise_min(every, __builtin_elementwise_min(even, odd));
    }
    const uint16_t least16 = __builtin_reduce_min(every);
    const uint8_t best = static_cast<uint8_t>(least16 >> 8), chosen = static_cast<uint8_t>(least16);
    ByteLanes others[blocks];
    EACH_BLOCK {
        const ByteLanes at = ByteLanes{} + chosen;
        const ByteLanes apart = __builtin_elementwise_max(disparities[b], at) - __builtin_elementwise_min(disparities[b], at);
        others[b] = sums[b] | reinterpret_cast<ByteLanes>(apart <= uint8_t(1));
    }
    const uint8_t *inBlocks = row.sums + offset(x, blocks * lanes);
    const auto sum = [&](int d) __attribute__((always_inline)) { return inBlocks[d % blocks * lanes + d / blocks]; };
    row.disparity[x] = chosen;
    row.leastSum[x] = best;
    row.secondSum[x] = reduceMinimum<blocks>(others);
    row.sumBefore[x] = sum(larger(chosen - 1, 0));
    row.sumAfter[x] = sum(smaller(chosen + 1, row.count - 1));
}

/// Winners of a row, of the left picture and of the right one.
template <int blocks> INLINE void selectRow(const Row row) {
    const int paddedRange = blocks * lanes;
    const ByteLanes none = ByteLanes{} + uint8_t(255);
    // For pixels of the right picture still ahead, by their distance to the left: the least sum so far, and its disparity.
    ByteLanes disparities[blocks], leastSum[blocks], winner[blocks];
    laneDisparities<blocks>(disparities);
    EACH_BLOCK {
        winner[b] = ByteLanes{};
        leastSum[b] = none;
    }
    for (int x = row.width - 1; x >= 0; x--) {
        ByteLanes sums[blocks];
        EACH_BLOCK {
            sums[b] = unaligned(row.sums + offset(x, paddedRange) + b * lanes);
            // Of equal ones the one farther to the left wins.
            winner[b] = sums[b] <= leastSum[b] ? disparities[b] : winner[b];
            leastSum[b] = __builtin_elementwise_min(sums[b], leastSum[b]);
        }
        selectDisparity<blocks>(row, x, sums, disparities);
        row.rightDisparity[x] = winner[0][0];
        const ByteLanes firstSum = SHIFT_LANES(1, leastSum[0], none), firstWinner = SHIFT_LANES(1, winner[0], ByteLanes{});
#pragma clang loop unroll(full)
        for (int b = 0; b + 1 < blocks; b++) {
            leastSum[b] = leastSum[b + 1];
            winner[b] = winner[b + 1];
        }
        leastSum[blocks - 1] = firstSum;
        winner[blocks - 1] = firstWinner;
    }
}

template <int blocks> INLINE void matchBlocks(const Row &row) {
    computeCosts<blocks>(row);
    aggregateFromAbove<blocks>(row);
    aggregateAlongRow<blocks>(row);
    selectRow<blocks>(row);
}

TARGET_CLONES void matchRow(const Row &row, int blocks) {
    for (int x = 0; x <= row.width; x += lanes)
        for (int path = 0; path < 4; path++) {
            const uint8_t *from = path < 3 ? row.aboveLuma + x + path - 1 : row.luma + x - 1;
            adaptPenalty2(unaligned(row.luma + x), unaligned(from), unaligned(row.penalties + offset(path, row.width + lanes) + x));
        }
    switch (blocks) {
    case 1:
        return matchBlocks<1>(row);
    case 2:
        return matchBlocks<2>(row);
    case 3:
        return matchBlocks<3>(row);
    default:
        return matchBlocks<4>(row);
    }
}

/// Sub-pixel disparities by fitting equiangular lines (Shimizu and Okutomi 2001) where Hirschmüller fits a parabola, and trust: unique by 2 % and consistent with the right picture.
TARGET_CLONES void interpolateDisparity(const Row row, const uint8_t *__restrict isConsistent, float *__restrict disparity, float *__restrict trust) {
    const uint8_t *const disparities = row.disparity, *const least = row.leastSum, *const second = row.secondSum;
    const uint8_t *const sumsBefore = row.sumBefore, *const sumsAfter = row.sumAfter;
    const int last = row.count - 1;
    for (int x = 0; x < row.width; x++) {
        const int d = disparities[x], before = sumsBefore[x] - least[x], after = sumsAfter[x] - least[x];
        const float fraction = 0.5f * static_cast<float>(before - after) / static_cast<float>(larger(larger(before, after), 1));
        disparity[x] = static_cast<float>(row.first + d) + (((d > 0) & (d < last)) ? fraction : 0.f);
        trust[x] = ((second[x] * 100 > least[x] * 102) & (isConsistent[x] != 0)) ? 1.f : 0.f;
    }
}

} // namespace

void SemiglobalMatcher::prepare(int phases, int first, InterleavedImage &image) const {
    image.phases = phases;
    // A row is followed by what whole steps of lanes, the rim and the range beyond the picture's edge read.
    image.columns = roundUp((width + first + phases * lanes + 2 * censusHalfWidth) / phases + 1, lanes) + lanes;
    image.census.resize(static_cast<size_t>(offset(censusBytes * phases, image.columns)));
}

void SemiglobalMatcher::interleave(PlaneView<const uint8_t> picture, bool isMirrored, InterleavedImage &image) const {
    const int height = picture.height;
    image.pixels.resize(static_cast<size_t>(offset((height + 2 * censusHalfHeight) * image.phases, image.columns)));
    std::vector<uint8_t> line(static_cast<size_t>(offset(image.phases, image.columns)));
    for (int y = 0; y < height + 2 * censusHalfHeight; y++) {
        const uint8_t *from = picture.row(std::clamp(y - censusHalfHeight, 0, height - 1));
        if (isMirrored)
            std::reverse_copy(from, from + width, line.begin() + censusHalfWidth);
        else
            std::copy_n(from, width, line.begin() + censusHalfWidth);
        std::fill_n(line.begin(), censusHalfWidth, line[censusHalfWidth]);
        const auto end = line.begin() + censusHalfWidth + width;
        std::fill(end, line.end(), end[-1]);
        if (image.phases == 1) {
            std::copy_n(line.begin(), image.columns, image.pixels.data() + offset(y, image.columns));
            continue;
        }
        for (int phase = 0; phase < image.phases; phase++) {
            uint8_t *row = image.pixels.data() + offset(y * image.phases + phase, image.columns);
            for (int column = 0; column < image.columns; column++)
                row[column] = line[static_cast<size_t>(column * image.phases + phase)];
        }
    }
}

void SemiglobalMatcher::computeCensus(InterleavedImage &image, int row, bool isMirrored) const {
    for (int phase = 0; phase < image.phases; phase++) {
        const uint8_t *pixels[around];
        for (int i = 0; i < around; i++) {
            const int across = i % (2 * censusHalfWidth + 1), at = phase + (isMirrored ? 2 * censusHalfWidth - across : across);
            const int line = (row + i / (2 * censusHalfWidth + 1)) * image.phases + at % image.phases;
            pixels[i] = image.pixels.data() + offset(line, image.columns) + at / image.phases;
        }
        censusTransform(
            pixels, (width + image.phases - 1) / image.phases, image.census.data() + offset(phase, image.columns),
            offset(image.phases, image.columns));
    }
}

void SemiglobalMatcher::match(
    PlaneView<const uint8_t> leftPicture, PlaneView<const uint8_t> rightPicture, Range range, float *disparity, float *trust) {
    width = leftPicture.width;
    const int height = leftPicture.height, blocks = roundUp(range.count, lanes) / lanes;
    const size_t pixels = static_cast<size_t>(width), costCount = pixels * static_cast<size_t>(blocks * lanes);
    prepare(1, 0, left);
    prepare(blocks, range.first, right);
    interleave(leftPicture, false, left);
    interleave(rightPicture, true, right);
    costs.resize(costCount);
    sums.resize(costCount);
    penalties.resize(4 * (pixels + 2 * lanes));
    for (auto &row : pathCosts)
        row.assign(3 * costCount, 0);
    for (auto *each :
         {&result.disparity, &result.leastSum, &result.secondSum, &result.sumBefore, &result.sumAfter, &result.rightDisparity, &result.isConsistent})
        each->resize(pixels);
    for (int y = 0; y < height; y++) {
        computeCensus(left, y, false);
        computeCensus(right, y, true);
        const uint8_t *luma = left.pixels.data() + offset(y + censusHalfHeight, left.columns) + censusHalfWidth;
        const Row row = {
            width,
            range.first,
            range.count,
            left.census.data(),
            right.census.data(),
            left.columns,
            offset(blocks, right.columns),
            right.columns,
            luma,
            luma - left.columns,
            pathCosts[0].data(),
            pathCosts[1].data(),
            costs.data(),
            sums.data(),
            penalties.data(),
            result.disparity.data(),
            result.leastSum.data(),
            result.secondSum.data(),
            result.sumBefore.data(),
            result.sumAfter.data(),
            result.rightDisparity.data()};
        matchRow(row, blocks);
        std::swap(pathCosts[0], pathCosts[1]);
        for (int x = 0; x < width; x++) {
            const int d = row.disparity[x], step = row.rightDisparity[std::max(x - d, 0)] - d;
            result.isConsistent[static_cast<size_t>(x)] = (range.first + d <= x) & (step <= 1) & (step >= -1);
        }
        interpolateDisparity(row, result.isConsistent.data(), disparity + offset(y, width), trust + offset(y, width));
    }
}

} // namespace rackfocus

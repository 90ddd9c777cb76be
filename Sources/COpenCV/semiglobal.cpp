#include "semiglobal.hpp"

#include <algorithm>
#include <utility>

#define INLINE __attribute__((always_inline)) static inline
#define INLINE_METHOD __attribute__((always_inline)) inline

namespace rackfocus {

namespace {

const int halfWidth = 4, halfHeight = 3, around = (2 * halfWidth + 1) * (2 * halfHeight + 1);
const int signatureBytes = 8;
/// What a place outside the right picture costs: less than a match by chance, more than a true one.
const uint8_t unseen = 12;
/// What a disparity beyond the range costs: more than any path takes.
const uint8_t excluded = 100;
const uint8_t smallStep = 10;
/// What a path holds beyond its ends: more than inside, and a step on it stays within 8 bits.
const uint8_t highest = 255 - smallStep;
const uint8_t largeStep = 90, leastStep = 24;

/// As many disparities, or pixels, as are worked on at once.
const int lanes = 64;
typedef uint8_t Cells __attribute__((vector_size(lanes)));
typedef uint16_t Pairs __attribute__((vector_size(lanes)));

INLINE int smaller(int a, int b) { return a < b ? a : b; }
INLINE int larger(int a, int b) { return a > b ? a : b; }
INLINE std::ptrdiff_t offset(int row, int length) { return static_cast<std::ptrdiff_t>(row) * length; }

/// Cells that lie anywhere in memory. (Vectors are handed on by reference: by value they are not the same for every processor.)
typedef Cells Anywhere __attribute__((aligned(1), may_alias));
INLINE const Anywhere &cells(const uint8_t *from) { return *reinterpret_cast<const Anywhere *>(from); }
INLINE Anywhere &cells(uint8_t *at) { return *reinterpret_cast<Anywhere *>(at); }

/// Which of the 9 x 7 pixels around each of `count` are not darker than it: `pixels` says where those of the first one are.
FAST void census(const uint8_t *const *pixels, int count, uint8_t *out, std::ptrdiff_t plane) {
    for (int x = 0; x < count; x += lanes) {
        const Cells own = cells(pixels[around / 2] + x);
#pragma clang loop unroll(full)
        for (int byte = 0; byte < signatureBytes; byte++) {
            Cells bits = Cells{};
#pragma clang loop unroll(full)
            for (int bit = 0; bit < 8; bit++)
                if (const int i = 8 * byte + bit; i < around)
                    bits |= reinterpret_cast<Cells>(cells(pixels[i] + x) >= own) & static_cast<uint8_t>(1 << bit);
            cells(out + byte * plane + x) = bits;
        }
    }
}

/// A change of disparity is cheaper where the picture changes too.
INLINE void penalise(const Anywhere &a, const Anywhere &b, Anywhere &out) {
    const Cells step = __builtin_elementwise_max(a, b) - __builtin_elementwise_min(a, b);
    const Cells penalty = __builtin_elementwise_sub_sat(Cells{} + largeStep, __builtin_elementwise_add_sat(step, step));
    out = __builtin_elementwise_max(penalty, Cells{} + leastStep);
}

/// Three bits to the two bits of their sum.
INLINE void add(const Cells &a, const Cells &b, const Cells &c, Cells &low, Cells &high) {
    high = (a & b) | (c & (a | b));
    low = a ^ b ^ c;
}

/// In how many bits signatures differ: of seven bytes bits are added to bits before they are counted.
INLINE void compare(const uint8_t *left, std::ptrdiff_t leftPlane, const uint8_t *right, std::ptrdiff_t rightPlane, Cells &out) {
    Cells unlike[signatureBytes], low[3], high[3], twice, fourTimes;
#pragma clang loop unroll(full)
    for (int i = 0; i < signatureBytes; i++)
        unlike[i] = cells(right + i * rightPlane) ^ left[i * leftPlane];
    add(unlike[0], unlike[1], unlike[2], low[0], high[0]);
    add(unlike[3], unlike[4], unlike[5], low[1], high[1]);
    add(low[0], low[1], unlike[6], low[2], high[2]);
    add(high[0], high[1], high[2], twice, fourTimes);
    out = 2 * (2 * __builtin_elementwise_popcount(fourTimes) + __builtin_elementwise_popcount(twice)) + __builtin_elementwise_popcount(low[2])
        + __builtin_elementwise_popcount(unlike[7]);
}

#define EACH_BLOCK _Pragma("clang loop unroll(full)") for (int b = 0; b < blocks; b++)

/// A block of lanes from its `i`-th on, continued by the block that follows it.
#define FROM(i, block, next) \
    __builtin_shufflevector( \
        block, next, i, i + 1, i + 2, i + 3, i + 4, i + 5, i + 6, i + 7, i + 8, i + 9, i + 10, i + 11, i + 12, i + 13, i + 14, i + 15, i + 16, \
        i + 17, i + 18, i + 19, i + 20, i + 21, i + 22, i + 23, i + 24, i + 25, i + 26, i + 27, i + 28, i + 29, i + 30, i + 31, i + 32, i + 33, \
        i + 34, i + 35, i + 36, i + 37, i + 38, i + 39, i + 40, i + 41, i + 42, i + 43, i + 44, i + 45, i + 46, i + 47, i + 48, i + 49, i + 50, \
        i + 51, i + 52, i + 53, i + 54, i + 55, i + 56, i + 57, i + 58, i + 59, i + 60, i + 61, i + 62, i + 63)

/// What a path holds at each disparity, or at one beside it and a small step, or at the best of all and a large step, which makes `cap`.
template <int blocks> INLINE void step(const Cells *at, const Cells &cap, Cells *out) {
    const Cells rim = Cells{} + highest;
    Cells wide[blocks + 2];
    wide[0] = FROM(63, rim, at[blocks - 1]);
    wide[blocks + 1] = FROM(1, at[0], rim);
    EACH_BLOCK { wide[b + 1] = at[b]; }
    EACH_BLOCK {
        const Cells beside = __builtin_elementwise_min(wide[b], wide[b + 2]) + smallStep;
        out[b] = __builtin_elementwise_min(__builtin_elementwise_min(at[b], beside), cap);
    }
}

template <int blocks> INLINE uint8_t least(const Cells *cells) {
    Cells every = cells[0];
#pragma clang loop unroll(full)
    for (int b = 1; b < blocks; b++)
        every = __builtin_elementwise_min(every, cells[b]);
    int result = __builtin_reduce_min(every);
    // Seen as a number, and not as lanes that are all the same: there are instructions for the former.
    asm("" : "+r"(result));
    return static_cast<uint8_t>(result);
}

/// The disparities that the lanes of each block stand for.
template <int blocks> INLINE void ramp(Cells *out) {
    for (int b = 0; b < blocks; b++)
        for (int i = 0; i < lanes; i++)
            out[b][i] = static_cast<uint8_t>(i * blocks + b);
}

/// One row of work.
struct Row {
    int width, range;
    /// Signatures: of the left picture, in one deck; of the right picture from right to left, in as many decks as there are blocks of disparities.
    const uint8_t *left, *right;
    std::ptrdiff_t leftPlane, rightPlane, rightDeck;
    const uint8_t *luma, *lastLuma;
    const uint8_t *last;
    uint8_t *next, *costs, *sums, *penalties;
    uint8_t *disparity, *best, *other, *before, *after, *rightDisparity;
};

template <int blocks> INLINE void compareRow(const Row row) {
    const int depth = blocks * lanes;
    Cells disparities[blocks];
    ramp<blocks>(disparities);
    for (int x = 0; x < row.width; x++)
        EACH_BLOCK {
            // Growing disparities lie in growing places, as the right picture is mirrored.
            const int place = row.width - 1 - x + b;
            Cells cost;
            compare(row.left + x, row.leftPlane, row.right + place % blocks * row.rightDeck + place / blocks, row.rightPlane, cost);
            if (x + 1 < depth)
                cost = disparities[b] > static_cast<uint8_t>(x) ? Cells{} + unseen : cost;
            if (row.range < depth)
                cost = disparities[b] < static_cast<uint8_t>(row.range) ? cost : Cells{} + excluded;
            cells(row.costs + offset(x, depth) + b * lanes) = cost;
        }
}

/// The three paths from the row before, and their sums.
template <int blocks> INLINE void goDown(const Row row) {
    const int depth = blocks * lanes;
    for (int x = 0; x < row.width; x++) {
        Cells total[blocks], at[blocks], now[blocks];
        EACH_BLOCK { total[b] = Cells{}; }
#pragma clang loop unroll(full)
        for (int path = 0; path < 3; path++) {
            const int beside = smaller(larger(x + path - 1, 0), row.width - 1);
            EACH_BLOCK { at[b] = cells(row.last + offset(3 * beside + path, depth) + b * lanes); }
            step<blocks>(at, Cells{} + row.penalties[offset(path, row.width + lanes) + x], now);
            EACH_BLOCK { now[b] += cells(row.costs + offset(x, depth) + b * lanes); }
            const Cells lowest = Cells{} + least<blocks>(now);
            EACH_BLOCK {
                now[b] -= lowest;
                total[b] = __builtin_elementwise_add_sat(total[b], now[b]);
                cells(row.next + offset(3 * x + path, depth) + b * lanes) = now[b];
            }
        }
        EACH_BLOCK { cells(row.sums + offset(x, depth) + b * lanes) = total[b]; }
    }
}

/// A path along the row.
template <int blocks> struct Along {
    Cells at[blocks], base;

    INLINE_METHOD void start() {
        base = Cells{};
        EACH_BLOCK { at[b] = base; }
    }

    INLINE_METHOD void go(const Row &row, int x, uint8_t penalty) {
        const int depth = blocks * lanes;
        Cells now[blocks];
        step<blocks>(at, base + penalty, now);
        EACH_BLOCK { at[b] = now[b] - base + cells(row.costs + offset(x, depth) + b * lanes); }
        base = Cells{} + least<blocks>(at);
        EACH_BLOCK {
            Anywhere &sum = cells(row.sums + offset(x, depth) + b * lanes);
            sum = __builtin_elementwise_add_sat(sum, at[b] - base);
        }
    }
};

/// Both paths along the row at once: neither has to wait for the other.
template <int blocks> INLINE void goAcross(const Row row) {
    const uint8_t *penalties = row.penalties + offset(3, row.width + lanes);
    Along<blocks> right, left;
    right.start();
    left.start();
    for (int x = 0; x < row.width; x++) {
        right.go(row, x, penalties[x]);
        left.go(row, row.width - 1 - x, penalties[row.width - x]);
    }
}

/// What is least of the sums of pixel `x`, and where.
template <int blocks> INLINE void choose(const Row &row, int x, const Cells *sums, const Cells *disparities) {
    // The sum in the upper byte, its disparity in the lower one: the least of them tells both.
    Pairs every = Pairs{} + uint16_t(65535);
    EACH_BLOCK {
        const Pairs sum = reinterpret_cast<Pairs>(sums[b]), disparity = reinterpret_cast<Pairs>(disparities[b]);
        const Pairs even = (sum << 8) | (disparity & uint16_t(255)), odd = (sum & uint16_t(0xff00)) | (disparity >> 8);
        every = __builtin_elementwise_min(every, __builtin_elementwise_min(even, odd));
    }
    const uint16_t least16 = __builtin_reduce_min(every);
    const uint8_t best = static_cast<uint8_t>(least16 >> 8), chosen = static_cast<uint8_t>(least16);
    Cells others[blocks];
    EACH_BLOCK {
        const Cells at = Cells{} + chosen;
        const Cells apart = __builtin_elementwise_max(disparities[b], at) - __builtin_elementwise_min(disparities[b], at);
        others[b] = sums[b] | reinterpret_cast<Cells>(apart <= uint8_t(1));
    }
    const uint8_t *inBlocks = row.sums + offset(x, blocks * lanes);
    const auto sum = [&](int d) __attribute__((always_inline)) { return inBlocks[d % blocks * lanes + d / blocks]; };
    row.disparity[x] = chosen;
    row.best[x] = best;
    row.other[x] = least<blocks>(others);
    row.before[x] = sum(larger(chosen - 1, 0));
    row.after[x] = sum(smaller(chosen + 1, row.range - 1));
}

/// What is best, seen from the left and from the right.
template <int blocks> INLINE void chooseRow(const Row row) {
    const int depth = blocks * lanes;
    const Cells none = Cells{} + uint8_t(255);
    // Of the right picture's pixels that are still to be met, by their distance to the left: the least sum so far, and its disparity.
    Cells disparities[blocks], seen[blocks], place[blocks];
    ramp<blocks>(disparities);
    EACH_BLOCK {
        place[b] = Cells{};
        seen[b] = none;
    }
    for (int x = row.width - 1; x >= 0; x--) {
        Cells sums[blocks];
        EACH_BLOCK {
            sums[b] = cells(row.sums + offset(x, depth) + b * lanes);
            // Of two that are as good the one farther to the left wins.
            place[b] = sums[b] <= seen[b] ? disparities[b] : place[b];
            seen[b] = __builtin_elementwise_min(sums[b], seen[b]);
        }
        choose<blocks>(row, x, sums, disparities);
        row.rightDisparity[x] = place[0][0];
        const Cells firstSeen = FROM(1, seen[0], none), firstPlace = FROM(1, place[0], Cells{});
#pragma clang loop unroll(full)
        for (int b = 0; b + 1 < blocks; b++) {
            seen[b] = seen[b + 1];
            place[b] = place[b + 1];
        }
        seen[blocks - 1] = firstSeen;
        place[blocks - 1] = firstPlace;
    }
}

template <int blocks> INLINE void go(const Row &row) {
    compareRow<blocks>(row);
    goDown<blocks>(row);
    goAcross<blocks>(row);
    chooseRow<blocks>(row);
}

FAST void matchRow(const Row &row, int blocks) {
    for (int x = 0; x <= row.width; x += lanes)
        for (int path = 0; path < 4; path++) {
            const uint8_t *from = path < 3 ? row.lastLuma + x + path - 1 : row.luma + x - 1;
            penalise(cells(row.luma + x), cells(from), cells(row.penalties + offset(path, row.width + lanes) + x));
        }
    switch (blocks) {
    case 1:
        return go<1>(row);
    case 2:
        return go<2>(row);
    case 3:
        return go<3>(row);
    default:
        return go<4>(row);
    }
}

/// Disparities to fractions of a pixel, and whether nothing else fits as well as what `agrees` with the right picture.
FAST void measure(const Row row, const uint8_t *__restrict agrees, float *__restrict disparity, float *__restrict trust) {
    const uint8_t *const disparities = row.disparity, *const bests = row.best, *const others = row.other, *const befores = row.before;
    const uint8_t *const afters = row.after;
    const int last = row.range - 1;
    for (int x = 0; x < row.width; x++) {
        const int d = disparities[x], before = befores[x] - bests[x], after = afters[x] - bests[x];
        const float fraction = 0.5f * static_cast<float>(before - after) / static_cast<float>(larger(larger(before, after), 1));
        disparity[x] = static_cast<float>(d) + (((d > 0) & (d < last)) ? fraction : 0.f);
        trust[x] = ((others[x] * 100 > bests[x] * 102) & (agrees[x] != 0)) ? 1.f : 0.f;
    }
}

} // namespace

void SemiGlobal::prepare(int decks, Deal &deal) const {
    deal.decks = decks;
    // A row is followed by what whole steps of lanes, the rim and the range beyond the picture's edge read.
    deal.places = upToLanes((width + decks * lanes + 2 * halfWidth) / decks + 1, lanes) + lanes;
    deal.signatures.resize(static_cast<size_t>(offset(signatureBytes * decks, deal.places)));
}

void SemiGlobal::deal(const uint8_t *picture, int height, bool isMirrored, Deal &deal) const {
    deal.pixels.resize(static_cast<size_t>(offset((height + 2 * halfHeight) * deal.decks, deal.places)));
    std::vector<uint8_t> line(static_cast<size_t>(offset(deal.decks, deal.places)));
    for (int y = 0; y < height + 2 * halfHeight; y++) {
        const uint8_t *from = picture + offset(std::clamp(y - halfHeight, 0, height - 1), width);
        if (isMirrored)
            std::reverse_copy(from, from + width, line.begin() + halfWidth);
        else
            std::copy_n(from, width, line.begin() + halfWidth);
        std::fill_n(line.begin(), halfWidth, line[halfWidth]);
        const auto end = line.begin() + halfWidth + width;
        std::fill(end, line.end(), end[-1]);
        if (deal.decks == 1) {
            std::copy_n(line.begin(), deal.places, deal.pixels.data() + offset(y, deal.places));
            continue;
        }
        for (int deck = 0; deck < deal.decks; deck++) {
            uint8_t *row = deal.pixels.data() + offset(y * deal.decks + deck, deal.places);
            for (int place = 0; place < deal.places; place++)
                row[place] = line[static_cast<size_t>(place * deal.decks + deck)];
        }
    }
}

void SemiGlobal::sign(Deal &deal, int row, bool isMirrored) const {
    for (int deck = 0; deck < deal.decks; deck++) {
        const uint8_t *pixels[around];
        for (int i = 0; i < around; i++) {
            const int across = i % (2 * halfWidth + 1), at = deck + (isMirrored ? 2 * halfWidth - across : across);
            const int line = (row + i / (2 * halfWidth + 1)) * deal.decks + at % deal.decks;
            pixels[i] = deal.pixels.data() + offset(line, deal.places) + at / deal.decks;
        }
        census(pixels, (width + deal.decks - 1) / deal.decks, deal.signatures.data() + offset(deck, deal.places), offset(deal.decks, deal.places));
    }
}

void SemiGlobal::match(const uint8_t *leftPicture, const uint8_t *rightPicture, int newWidth, int height, float *disparity, float *trust) {
    width = newWidth;
    const int blocks = upToLanes(range, lanes) / lanes;
    const size_t pixels = static_cast<size_t>(width), depths = pixels * static_cast<size_t>(blocks * lanes);
    prepare(1, left);
    prepare(blocks, right);
    deal(leftPicture, height, false, left);
    deal(rightPicture, height, true, right);
    costs.resize(depths);
    sums.resize(depths);
    penalties.resize(4 * (pixels + 2 * lanes));
    for (auto &row : rows)
        row.assign(3 * depths, 0);
    for (auto *each : {&found.disparity, &found.best, &found.other, &found.before, &found.after, &found.right, &found.agrees})
        each->resize(pixels);
    for (int y = 0; y < height; y++) {
        sign(left, y, false);
        sign(right, y, true);
        const uint8_t *luma = left.pixels.data() + offset(y + halfHeight, left.places) + halfWidth;
        const Row row = {
            width, range, left.signatures.data(), right.signatures.data(), left.places, offset(blocks, right.places), right.places, luma,
            luma - left.places, rows[0].data(), rows[1].data(), costs.data(), sums.data(), penalties.data(), found.disparity.data(),
            found.best.data(), found.other.data(), found.before.data(), found.after.data(), found.right.data()};
        matchRow(row, blocks);
        std::swap(rows[0], rows[1]);
        for (int x = 0; x < width; x++) {
            const int d = row.disparity[x], step = row.rightDisparity[std::max(x - d, 0)] - d;
            found.agrees[static_cast<size_t>(x)] = (d <= x) & (step <= 1) & (step >= -1);
        }
        measure(row, found.agrees.data(), disparity + offset(y, width), trust + offset(y, width));
    }
}

} // namespace rackfocus

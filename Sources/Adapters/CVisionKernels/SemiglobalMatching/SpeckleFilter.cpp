#include "SpeckleFilter.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace rackfocus {

namespace {

/// Flags of a pixel: it is trusted; connected with the one before it; with the one above it.
const uint8_t isTrusted = 1, linksLeft = 2, linksUp = 4;

TARGET_CLONES void findLinks(
    const float *__restrict value, const float *__restrict valueAbove, const float *__restrict trust, const float *__restrict trustAbove, int width,
    uint8_t *__restrict out) {
    const auto link = [&](int x, bool isLeft) __attribute__((always_inline)) {
        const bool isHere = trust[x] > 0, isUp = isHere & (trustAbove[x] > 0) & (std::abs(value[x] - valueAbove[x]) <= 1);
        out[x] = static_cast<uint8_t>((isHere ? isTrusted : 0) | (isLeft ? linksLeft : 0) | (isUp ? linksUp : 0));
    };
    link(0, false);
    for (int x = 1; x < width; x++)
        link(x, (trust[x] > 0) & (trust[x - 1] > 0) & (std::abs(value[x] - value[x - 1]) <= 1));
}

/// The first pixel from `x` on, before `end`, that has any of the flags `bits`, or lacks one where `has` is false; eight are compared at once.
template <bool has> int seek(const std::vector<uint8_t> &links, int x, int end, uint8_t bits) {
    for (; x < end; x += 8) {
        uint64_t eight;
        std::memcpy(&eight, links.data() + x, 8);
        if (const uint64_t those = (has ? eight : ~eight) & bits * 0x0101010101010101u)
            return std::min(x + __builtin_ctzll(those) / 8, end);
    }
    return end;
}

} // namespace

void SpeckleFilter::apply(PlaneView<const float> disparity, PlaneView<float> trust, double share) {
    runs.clear();
    links.assign(static_cast<size_t>(disparity.width) + 7, 0);
    size_t last = 0;
    for (int y = 0; y < disparity.height; y++) {
        const size_t first = runs.size();
        const int above = std::max(y - 1, 0);
        findLinks(disparity.row(y), disparity.row(above), trust.row(y), trust.row(above), disparity.width, links.data());
        findRuns(y, disparity.width, last, first);
        last = first;
    }
    for (const Run &run : runs)
        runs[root(run.parent)].size += run.to - run.from;
    const int largest = static_cast<int>(static_cast<double>(disparity.count()) * share);
    for (const Run &run : runs)
        if (runs[root(run.parent)].size <= largest)
            std::fill(trust.row(run.row) + run.from, trust.row(run.row) + run.to, 0.f);
}

uint32_t SpeckleFilter::root(uint32_t run) {
    while (runs[run].parent != run) {
        runs[run].parent = runs[runs[run].parent].parent;
        run = runs[run].parent;
    }
    return run;
}

void SpeckleFilter::findRuns(int y, int width, size_t above, size_t first) {
    for (int x = seek<true>(links, 0, width, isTrusted); x < width;) {
        const int end = seek<false>(links, x + 1, width, linksLeft);
        const uint32_t run = static_cast<uint32_t>(runs.size());
        runs.push_back({run, y, x, end, 0});
        while (above < first && runs[above].to <= x)
            above++;
        for (size_t next = above; next < first && runs[next].from < end; next++) {
            const int from = std::max(x, runs[next].from), to = std::min(end, runs[next].to);
            if (seek<true>(links, from, to, linksUp) == to)
                continue;
            const uint32_t a = root(run), b = root(static_cast<uint32_t>(next));
            runs[std::max(a, b)].parent = std::min(a, b);
        }
        x = seek<true>(links, end, width, isTrusted);
    }
}

} // namespace rackfocus

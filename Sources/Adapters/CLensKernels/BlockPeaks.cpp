#include "CLensKernels.h"
#include "TargetClones.hpp"

#include <algorithm>

namespace {

#define INLINE __attribute__((always_inline)) inline
#define INLINE_LAMBDA __attribute__((always_inline))

template <typename T> INLINE T greater(T a, T b) { return a > b ? a : b; }
template <typename T> INLINE T lesser(T a, T b) { return a < b ? a : b; }

/// Joins neighbours, of which pairs lie `channels` apart, so that half as many are left.
template <typename T, typename Join> INLINE void halve(const T *__restrict from, T *__restrict to, int channels, int count, Join join) {
    if (channels == 1)
        for (int i = 0; i < count; i++)
            to[i] = join(from[2 * i], from[2 * i + 1]);
    else
        for (int i = 0; i < count; i++) {
            to[2 * i] = join(from[4 * i], from[4 * i + 2]);
            to[2 * i + 1] = join(from[4 * i + 1], from[4 * i + 3]);
        }
}

/// Joins `steps` times, from `line` to and fro with `other`; the result.
template <typename T, typename Join> INLINE const T *reduce(T *line, T *other, int channels, int count, int steps, Join join) {
    for (; steps > 0; steps--) {
        count /= 2;
        halve(line, other, channels, count, join);
        std::swap(line, other);
    }
    return line;
}

/// The greatest and, where `low` is wanted, the least of each column's samples.
template <typename T> INLINE void findColumnPeaks(const T *samples, ptrdiff_t stride, int rows, int width, T *__restrict high, T *__restrict low) {
    std::fill_n(high, width, T(0));
    if (low)
        std::fill_n(low, width, T(~T(0)));
    for (int y = 0; y < rows; y++) {
        const T *__restrict row = samples + y * stride;
        for (int x = 0; x < width; x++)
            high[x] = greater(high[x], row[x]);
        for (int x = 0; low && x < width; x++)
            low[x] = lesser(low[x], row[x]);
    }
}

template <typename T> INLINE void findBlockPeaks(
    const T *luma, ptrdiff_t lumaStride, int lumaRows, const T *chroma, ptrdiff_t chromaStride, int chromaRows, int width, int side,
    const rf_peak_coding &coding, T *scratch, uint8_t *__restrict peaks, int count) {
    const int padded = std::max(width, count * side);
    T *lines[6];
    for (int i = 0; i < 6; i++)
        lines[i] = scratch + ptrdiff_t(i) * padded;
    findColumnPeaks<T>(luma, lumaStride, lumaRows, width, lines[0], nullptr);
    findColumnPeaks<T>(chroma, chromaStride, chromaRows, width, lines[1], lines[2]);
    for (int i = 0; i < 3; i++)
        for (int x = width; x < padded; x++)
            lines[i][x] = lines[i][width - 2 + (x & 1)];
    int steps = 0;
    while (side >> (steps + 1))
        steps++;
    const auto max = [](T a, T b) INLINE_LAMBDA { return greater(a, b); };
    const auto min = [](T a, T b) INLINE_LAMBDA { return lesser(a, b); };
    const T *brightest = reduce(lines[0], lines[3], 1, count * side, steps, max);
    const T *highest = reduce(lines[1], lines[4], 2, count * side / 2, steps - 1, max);
    const T *lowest = reduce(lines[2], lines[5], 2, count * side / 2, steps - 1, min);
    for (int i = 0; i < count; i++) {
        const float blue = (float(highest[2 * i]) - coding.grey) * coding.blue, red = (float(highest[2 * i + 1]) - coding.grey) * coding.red;
        const float green =
            (coding.grey - float(lowest[2 * i])) * coding.blue_in_green + (coding.grey - float(lowest[2 * i + 1])) * coding.red_in_green;
        const float code = (float(brightest[i]) - coding.black) * coding.luma + greater(greater(blue, red), green);
        peaks[i] = uint8_t(int(lesser(greater(code, 0.f), 255.f)));
    }
}

TARGET_CLONES void findBlockPeaks8(
    const uint8_t *luma, ptrdiff_t lumaStride, int lumaRows, const uint8_t *chroma, ptrdiff_t chromaStride, int chromaRows, int width, int side,
    const rf_peak_coding &coding, uint8_t *scratch, uint8_t *peaks, int count) {
    findBlockPeaks(luma, lumaStride, lumaRows, chroma, chromaStride, chromaRows, width, side, coding, scratch, peaks, count);
}

TARGET_CLONES void findBlockPeaks16(
    const uint16_t *luma, ptrdiff_t lumaStride, int lumaRows, const uint16_t *chroma, ptrdiff_t chromaStride, int chromaRows, int width, int side,
    const rf_peak_coding &coding, uint16_t *scratch, uint8_t *peaks, int count) {
    findBlockPeaks(luma, lumaStride, lumaRows, chroma, chromaStride, chromaRows, width, side, coding, scratch, peaks, count);
}

} // namespace

extern "C" void rf_find_block_peaks8(
    const uint8_t *luma, ptrdiff_t luma_stride, int luma_rows, const uint8_t *chroma, ptrdiff_t chroma_stride, int chroma_rows, int width, int side,
    rf_peak_coding coding, uint8_t *scratch, uint8_t *peaks, int count) {
    findBlockPeaks8(luma, luma_stride, luma_rows, chroma, chroma_stride, chroma_rows, width, side, coding, scratch, peaks, count);
}

extern "C" void rf_find_block_peaks16(
    const uint16_t *luma, ptrdiff_t luma_stride, int luma_rows, const uint16_t *chroma, ptrdiff_t chroma_stride, int chroma_rows, int width, int side,
    rf_peak_coding coding, uint16_t *scratch, uint8_t *peaks, int count) {
    findBlockPeaks16(luma, luma_stride, luma_rows, chroma, chroma_stride, chroma_rows, width, side, coding, scratch, peaks, count);
}

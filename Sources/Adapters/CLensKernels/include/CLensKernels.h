#ifndef CLENSKERNELS_H
#define CLENSKERNELS_H

// Loops of the lens's plan over the pixels of a map or a picture: plain C in front, C++17 behind, no library below, compiled for the widest vectors
// of the processor (`TargetClones.hpp`). Results are the same bits on any.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Extreme disparities of a tile; of what there is none, the greatest float, or the least one where the greatest value is sought.
typedef struct {
    float low, high;
    /// The closest to the focus, behind it and in front of it or in it.
    float closest_far, closest_near;
    /// The closest to the focus of those that are blurred behind it.
    float least_blurred_far;
} rf_tile_extremes;

/// Finds the extremes of a row of tiles in `height` rows of `width` disparities, `stride` apart: of each tile in the columns from `spans[2 * i]` up to
/// `spans[2 * i + 1]`. Blurred is what is more than `slight` from the focus. `scratch` has room for 5 `width` floats. What is no number is left out.
void rf_find_tile_extremes(
    const float *map, ptrdiff_t stride, int width, int height, const int *spans, int count, float focus, float slight, float *scratch,
    rf_tile_extremes *tiles);

/// Counts the disparities that lie from `slight` to `near` in front of the focus, and to `far` behind it, exclusively.
void rf_count_slightly_blurred(
    const float *map, ptrdiff_t stride, int width, int height, float focus, float slight, float near, float far, int *in_front, int *behind);

/// Coding of luma and chroma, in codes as they lie in memory.
typedef struct {
    float black, grey;
    /// Code of the result for one of luma.
    float luma;
    /// Codes of the result for one of the chroma of blue and of red: in these colours, and, negative, in green.
    float blue, red, blue_in_green, red_in_green;
} rf_peak_coding;

/// Finds codes, 0 to 255, of at least the brightest red, green or blue in each square of `side` pixels, a power of two from 4 on, of a row of them:
/// of luma in `luma_rows` rows, `luma_stride` samples apart, and of chroma, two samples for two pixels. `width`, even, is the picture's; beyond it the last
/// two pixels go on. `scratch` has room for 6 times the larger one of `width` and `count * side` samples.
void rf_find_block_peaks8(
    const uint8_t *luma, ptrdiff_t luma_stride, int luma_rows, const uint8_t *chroma, ptrdiff_t chroma_stride, int chroma_rows, int width, int side,
    rf_peak_coding coding, uint8_t *scratch, uint8_t *peaks, int count);

/// The same for samples of 16 bits.
void rf_find_block_peaks16(
    const uint16_t *luma, ptrdiff_t luma_stride, int luma_rows, const uint16_t *chroma, ptrdiff_t chroma_stride, int chroma_rows, int width, int side,
    rf_peak_coding coding, uint16_t *scratch, uint8_t *peaks, int count);

/// Coding of luma and chroma, in codes of `unit` times what lies in memory.
typedef struct {
    float unit, black, grey, luma_range;
    /// Share of white in a code of the chroma of blue and of red.
    float blue, red;
    /// Weights of blue and red in luma, and the factor to green of both so weighted.
    float blue_weight, red_weight, green;
} rf_light_coding;

/// Whether a red, green or blue of every second of `count` pixels, even, is above `knee`, a share of white.
int rf_has_light8(const uint8_t *luma, const uint8_t *chroma, int count, rf_light_coding coding, float knee);

/// The same for samples of 16 bits.
int rf_has_light16(const uint16_t *luma, const uint16_t *chroma, int count, rf_light_coding coding, float knee);

#ifdef __cplusplus
}
#endif

#endif

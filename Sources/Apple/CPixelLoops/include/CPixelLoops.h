// Inner loops over the pixels of one row. They are in C for the debug builds of apps, in which Swift's take fifty times as long.

#pragma once

#include <stddef.h>
#include <stdint.h>

// Converts a row of `420v` from BT.709, video range, to BGRA, in 16-bit fixed point; two pixels share a pair of chroma.
void CPixelLoops_convertToBGRA(const uint8_t *luma, const uint8_t *chroma, uint8_t *target, ptrdiff_t width);

// Copies every `step`-th element from `source` on, forward or backward; an element has 1, 2, 3 or 4 bytes.
void CPixelLoops_gather(const void *source, ptrdiff_t step, void *target, ptrdiff_t count, int bytesPerElement);

// Copies of each pixel of `step` bytes the ones at `places`, `depth` of them in this order; 255 for a place below 0.
void CPixelLoops_arrange(const uint8_t *source, ptrdiff_t step, const int8_t *places, int depth, uint8_t *target, ptrdiff_t count);

// Makes each pixel of a row of `count` the mean of those in its share of `width` columns and of `rows` rows without padding; `depth` bytes a pixel.
void CPixelLoops_mean(const uint8_t *source, ptrdiff_t width, ptrdiff_t rows, int depth, uint8_t *target, ptrdiff_t count);

// Sums of colours, not multiplied by alpha, by weight and opacity; of opacity by weight; and of weights. Opacity and colours are 0 to 1.
struct CPixelLoops_sums {
    float red, green, blue, opacity, weight;
};

// Adds pixels `first` to `last` of a row of `step` bytes each, weighted by `share` and by a triangle about `middle` that ends at a distance of `reach`.
// `places` are those of red, green, blue and alpha, which is below 0 for none.
void CPixelLoops_addTriangle(
    const uint8_t *row, ptrdiff_t step, const int8_t *places, int isMultiplied, ptrdiff_t first, ptrdiff_t last, double middle, double reach,
    double share, struct CPixelLoops_sums *sums);

// Replaces each byte by its entry of a table of 256.
void CPixelLoops_map(const uint8_t *source, const uint8_t *table, uint8_t *target, ptrdiff_t count);

// Makes each byte the upper one of 16 bits.
void CPixelLoops_widen(const uint8_t *source, uint16_t *target, ptrdiff_t count);

// Inner loops over the pixels of one row. They are in C for the debug builds of apps, in which Swift's take fifty times as long.

#pragma once

#include <stddef.h>
#include <stdint.h>

// Converts a row of `420v` from BT.709, video range, to BGRA, in 16-bit fixed point; two pixels share a pair of chroma.
void CPixelLoops_convertToBGRA(const uint8_t *luma, const uint8_t *chroma, uint8_t *target, ptrdiff_t width);

// Copies every `step`-th element from `source` on, forward or backward; an element has 1, 2 or 4 bytes.
void CPixelLoops_gather(const void *source, ptrdiff_t step, void *target, ptrdiff_t count, int bytesPerElement);

// Replaces each byte by its entry of a table of 256.
void CPixelLoops_map(const uint8_t *source, const uint8_t *table, uint8_t *target, ptrdiff_t count);

// Makes each byte the upper one of 16 bits.
void CPixelLoops_widen(const uint8_t *source, uint16_t *target, ptrdiff_t count);

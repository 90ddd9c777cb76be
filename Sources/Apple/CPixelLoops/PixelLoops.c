#include "CPixelLoops.h"

static uint8_t clamped(int32_t value) { return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value; }

void CPixelLoops_convertToBGRA(const uint8_t *luma, const uint8_t *chroma, uint8_t *target, ptrdiff_t width) {
    for (ptrdiff_t x = 0; x < width; ++x) {
        const int32_t y = 76309 * ((int32_t)luma[x] - 16) + 32768;
        const int32_t cb = (int32_t)chroma[x & ~(ptrdiff_t)1] - 128;
        const int32_t cr = (int32_t)chroma[x | 1] - 128;
        uint8_t *pixel = target + 4 * x;
        pixel[0] = clamped((y + 138438 * cb) >> 16);
        pixel[1] = clamped((y - 13975 * cb - 34925 * cr) >> 16);
        pixel[2] = clamped((y + 117489 * cr) >> 16);
        pixel[3] = 255;
    }
}

#define GATHER(type) \
    for (ptrdiff_t x = 0; x < count; ++x) \
        ((type *)target)[x] = ((const type *)source)[x * step];

void CPixelLoops_gather(const void *source, ptrdiff_t step, void *target, ptrdiff_t count, int bytesPerElement) {
    switch (bytesPerElement) {
    case 1:
        GATHER(uint8_t)
        break;
    case 2:
        GATHER(uint16_t)
        break;
    default:
        GATHER(uint32_t)
    }
}

void CPixelLoops_map(const uint8_t *source, const uint8_t *table, uint8_t *target, ptrdiff_t count) {
    for (ptrdiff_t x = 0; x < count; ++x)
        target[x] = table[source[x]];
}

void CPixelLoops_widen(const uint8_t *source, uint16_t *target, ptrdiff_t count) {
    for (ptrdiff_t x = 0; x < count; ++x)
        target[x] = (uint16_t)(source[x] << 8);
}

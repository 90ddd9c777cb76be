#include "CPixelLoops.h"

#include <math.h>

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

struct three {
    uint8_t bytes[3];
};

void CPixelLoops_gather(const void *source, ptrdiff_t step, void *target, ptrdiff_t count, int bytesPerElement) {
    switch (bytesPerElement) {
    case 1:
        GATHER(uint8_t)
        break;
    case 2:
        GATHER(uint16_t)
        break;
    case 3:
        GATHER(struct three)
        break;
    default:
        GATHER(uint32_t)
    }
}

void CPixelLoops_arrange(const uint8_t *source, ptrdiff_t step, const int8_t *places, int depth, uint8_t *target, ptrdiff_t count) {
    for (ptrdiff_t x = 0; x < count; ++x)
        for (int index = 0; index < depth; ++index)
            *target++ = places[index] < 0 ? 255 : source[x * step + places[index]];
}

void CPixelLoops_mean(const uint8_t *source, ptrdiff_t width, ptrdiff_t rows, int depth, uint8_t *target, ptrdiff_t count) {
    for (ptrdiff_t x = 0; x < count; ++x) {
        const ptrdiff_t first = x * width / count, next = (x + 1) * width / count, end = next > first ? next : first + 1;
        for (int component = 0; component < depth; ++component) {
            const ptrdiff_t size = rows * (end - first);
            ptrdiff_t sum = 0;
            for (ptrdiff_t row = 0; row < rows; ++row)
                for (ptrdiff_t column = first; column < end; ++column)
                    sum += source[(row * width + column) * depth + component];
            *target++ = (uint8_t)((sum + size / 2) / size);
        }
    }
}

void CPixelLoops_addTriangle(
    const uint8_t *row, ptrdiff_t step, const int8_t *places, int isMultiplied, ptrdiff_t first, ptrdiff_t last, double middle, double reach,
    double share, struct CPixelLoops_sums *sums) {
    for (ptrdiff_t x = first; x <= last; ++x) {
        const double part = 1 - fabs((double)x + 0.5 - middle) / reach;
        if (part <= 0)
            continue;
        const uint8_t *pixel = row + x * step;
        const float weight = (float)(part * share), opacity = places[3] < 0 ? 1 : (float)pixel[places[3]] / 255;
        const float scale = (isMultiplied && opacity > 0 ? 1 / (255 * opacity) : 1.f / 255) * weight * opacity;
        sums->red += (float)pixel[places[0]] * scale;
        sums->green += (float)pixel[places[1]] * scale;
        sums->blue += (float)pixel[places[2]] * scale;
        sums->opacity += weight * opacity;
        sums->weight += weight;
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

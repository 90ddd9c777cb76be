// Bilinear interpolation of a blurred layer to full size. Needs SCALE and RIMS, tile.glsl, halves.glsl and cubic.glsl.

// The layer at two rows of four pixels, from rows of layer pixels, one value per column.
struct Columns {
    vec4 a, b, c, d;
};
struct Rows {
    Columns upper, lower;
};
int left, top; // first layer pixel that is read, before the bounds of the layer
vec2 parts;    // of the lower layer row in the upper and the lower row of pixels
float steep = 0.0;
bool needsCubic = false;

#define AT(layer, k, y) firstFour(imageLoad(layer, pixelPlace(ivec2(clamp(left + k, 0, lens.work.x - 1), y))))
#define LOAD(layer, row) Columns(AT(layer, 0, row), AT(layer, 1, row), AT(layer, 2, row), SCALE == 2 ? AT(layer, 3, row) : vec4(0.0))
#define LAYER(result, layer) \
    { \
        ivec3 y = clamp(ivec3(top, top + 1, top + 2), 0, lens.work.y - 1); \
        Columns high = LOAD(layer, y.x), middle = LOAD(layer, y.y), low = middle; \
        if (SCALE == 2) low = LOAD(layer, y.z); \
        if (RIMS > 0) steep = steepness(high, middle, low); \
        needsCubic = needsCubic || steep > 0.0; \
        result.upper = along(between(high, middle, parts.x)); \
        result.lower = along(SCALE == 2 ? between(middle, low, parts.y) : between(high, middle, parts.y)); \
        if (RIMS == 2) { \
            STEEP_ROW(result.upper, layer, top, parts.x) \
            STEEP_ROW(result.lower, layer, (SCALE == 2 ? top + 1 : top), parts.y) \
        } \
    }

Columns between(Columns a, Columns b, float part) {
    return Columns(mix(a.a, b.a, part), mix(a.b, b.b, part), mix(a.c, b.c, part), mix(a.d, b.d, part));
}

// Of the columns of layer pixels, the values at the four pixels.
Columns along(Columns c) {
    if (SCALE == 2) return Columns(mix(c.a, c.b, 0.75), mix(c.b, c.c, 0.25), mix(c.b, c.c, 0.75), mix(c.c, c.d, 0.25));
    return Columns(mix(c.a, c.b, 0.625), mix(c.a, c.b, 0.875), mix(c.b, c.c, 0.125), mix(c.b, c.c, 0.375));
}

#include "steep-rows.glsl"

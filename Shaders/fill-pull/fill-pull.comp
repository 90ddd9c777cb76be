#version 450
#extension GL_GOOGLE_include_directive : require
// One step down of the fill: sums of 2 x 2, weights no larger than one.
#include "lens.glsl"
#include "tile.glsl"
#include "fill-level.glsl"
layout(binding = 1, rgba32ui) readonly uniform uimageBuffer fine; // light and its weight, far radius, near radius, near coverage
layout(binding = 2) writeonly buffer Pyramid { u64vec2 pyramid[]; };
#include "halves.glsl"

vec4 shown, radius;

void add(ivec2 p, ivec2 size) {
    if (p.x >= size.x || p.y >= size.y) return;
    uvec4 two = imageLoad(fine, p.y * size.x + p.x);
    shown += firstFour(two);
    radius += secondFour(two);
}

// The second step looks at the flags, which lead the list; a tile is 4 x 4 finer pixels: without one, nothing was written.
bool isKnown(ivec2 p) { return level() != 1 || tileFlags(p >> 1) >= 2u; }

void main() {
    ivec2 p = ownPixel(), size = levelSize(level()), coarser = levelSize(level() + 1);
    if (any(greaterThanEqual(p, coarser))) return;
    shown = radius = vec4(0.0);
    if (isKnown(p)) {
        add(2 * p, size);
        add(2 * p + ivec2(1, 0), size);
        add(2 * p + ivec2(0, 1), size);
        add(2 * p + ivec2(1, 1), size);
    }
    float scale = 1.0 / max(shown.a, 1.0);
    radius.x *= scale;
    radius.yz *= 1.0 / max(radius.z, 1.0);
    pyramid[p.y * coarser.x + p.x] = pack64ForStore(halves(shown * scale, radius));
}

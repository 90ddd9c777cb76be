#version 450
#extension GL_GOOGLE_include_directive : require
// One step up of the fill: where a level knows little, the coarser level below it speaks. One thread makes 2 x 2 pixels.
#include "lens.glsl"
#include "tile.glsl"
#include "fill-level.glsl"
layout(binding = 1, rgba32ui) readonly uniform uimageBuffer coarse; // light and its weight, far radius, near radius, near coverage
layout(binding = 2, rgba32ui) readonly uniform uimageBuffer shownBefore;
layout(binding = 3) writeonly buffer Pyramid { u64vec2 pyramid[]; };
#include "halves.glsl"
#include "upsample.glsl"

void main() {
    ivec2 q = ownPixel(), size = levelSize(level()), coarser = levelSize(level() + 1);
    if (any(greaterThanEqual(q, coarser))) return;
    vec4 belowLight[4], belowRadii[4];
    UPSAMPLE_BOTH(belowLight, belowRadii, coarse, coarser, q)
    for (int i = 0; i < 4; i++) {
        ivec2 p = 2 * q + ivec2(i & 1, i >> 1);
        if (any(greaterThanEqual(p, size))) continue;
        int place = p.y * size.x + p.x;
        uvec4 two = imageLoad(shownBefore, place);
        vec4 shown = firstFour(two), radius = secondFour(two);
        radius.x += (1.0 - shown.a) * belowRadii[i].x;
        radius.yz += (1.0 - radius.z) * belowRadii[i].yz;
        pyramid[place] = pack64ForStore(halves(shown + (1.0 - shown.a) * belowLight[i], radius));
    }
}

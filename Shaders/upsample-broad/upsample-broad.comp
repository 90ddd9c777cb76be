#version 450
#extension GL_GOOGLE_include_directive : require
// Bilinear upsampling of the broad gather: from one value for 4 x 4 layer pixels to coarse pixels, one for 2 x 2. One thread makes 2 x 2 of them.
layout(local_size_x = 4, local_size_y = 4) in;
#include "lens.glsl"
#include "tile.glsl"
#include "level.glsl"
layout(binding = 1, rg32ui) readonly uniform uimageBuffer broad;
layout(binding = 2) writeonly buffer Blurred { uint64_t blurredLayer[]; };
#include "halves.glsl"
#include "upsample.glsl"

void store(ivec2 q, vec4 value) {
    if (2 * q.x < lens.work.x && 2 * q.y < lens.work.y) blurredLayer[halfPlace(q)] = pack64ForStore(halves(value).xy);
}

void main() {
    ivec2 p = tilePlace(ownTile()) * (TILE / 4) + ivec2(gl_LocalInvocationID.xy), size = levelSize(1);
    if (p.x >= size.x || p.y >= size.y) return;
    vec4 coarse[4];
    UPSAMPLE(coarse, firstFour, broad, size, p)
    store(2 * p, coarse[0]);
    store(2 * p + ivec2(1, 0), coarse[1]);
    store(2 * p + ivec2(0, 1), coarse[2]);
    store(2 * p + ivec2(1, 1), coarse[3]);
}

#version 450
#extension GL_GOOGLE_include_directive : require
// Bilinear upsampling of coarse discs to layer size, where finer neighbours or the sharp picture are laid beside them. One thread makes 2 x 2 pixels.
layout(local_size_x = 8, local_size_y = 8) in;
layout(constant_id = 0) const int BLEND = 0; // 1: only pixels with large discs; the others keep their fine ones
#include "lens.glsl"
#include "tile.glsl"
layout(binding = 1, rg32ui) readonly uniform uimageBuffer coarse;
layout(binding = 2, rg32ui) readonly uniform uimageBuffer radii; // of 2 x 2 pixels
layout(binding = 3, rg32ui) readonly uniform uimageBuffer fineDiscs;
layout(binding = 4) writeonly buffer Blurred { uint64_t blurredLayer[]; };
#include "halves.glsl"
#include "upsample.glsl"

void store(ivec2 p, vec4 value, float share) {
    int place = pixelPlace(p);
    if (BLEND == 1) value = mix(firstFour(imageLoad(fineDiscs, place)), value, share);
    blurredLayer[place] = pack64ForStore(halves(value).xy);
}

void main() {
    ivec2 q = tilePlace(ownTile()) * (TILE / 2) + ivec2(gl_LocalInvocationID.xy);
    if (2 * q.x >= lens.work.x || 2 * q.y >= lens.work.y) return;
    vec4 fine[4];
    UPSAMPLE(fine, firstFour, coarse, lens.work / 2, q)
    vec4 share = vec4(1.0);
    if (BLEND == 1) share = clamp(firstFour(imageLoad(radii, halfPlace(q))) - (GATHERED_RADIUS - 1.0), 0.0, 1.0);
    store(2 * q, fine[0], share.x);
    store(2 * q + ivec2(1, 0), fine[1], share.y);
    store(2 * q + ivec2(0, 1), fine[2], share.z);
    store(2 * q + ivec2(1, 1), fine[3], share.w);
}

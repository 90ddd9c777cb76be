#version 450
#extension GL_GOOGLE_include_directive : require
// Sources of gather.comp: light, the disc's radius and its inverse. One value for 2 x 2 layer pixels.
layout(local_size_x = 8, local_size_y = 8) in;
#include "lens.glsl"
#include "tile.glsl"
#include "halves.glsl"
#include "gather-source.glsl"
layout(binding = 1, rgba32ui) readonly uniform uimageBuffer layer; // two pixels in a row
layout(binding = 2, r32f) readonly uniform imageBuffer radius;
layout(binding = 3) writeonly buffer Sources { u64vec2 sources[]; };

void main() {
    ivec2 q = tilePlace(ownTile()) * (TILE / 2) + ivec2(gl_LocalInvocationID.xy);
    if (2 * q.x >= lens.work.x || 2 * q.y >= lens.work.y) return;
    int place = halfPlace(q);
    ivec2 at = q * ivec2(1, 2);
    uvec4 upper = imageLoad(layer, halfPlace(at)), lower = imageLoad(layer, halfPlace(at + ivec2(0, 1)));
    vec4 light = 0.25 * (firstFour(upper) + secondFour(upper) + firstFour(lower) + secondFour(lower));
    sources[place] = pack64ForStore(source(light, coarseDisc(imageLoad(radius, place).r)));
}

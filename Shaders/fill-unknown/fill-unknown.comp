#version 450
#extension GL_GOOGLE_include_directive : require
// Opaque tiles beside the fill, which knows nothing there.
layout(local_size_x = 8, local_size_y = 8) in;
#include "lens.glsl"
#include "tile.glsl"
layout(binding = 1) writeonly buffer Pyramid { u64vec2 pyramid[]; };

void main() {
    ivec2 quad = tilePlace(ownTile()) * (TILE / 2) + ivec2(gl_LocalInvocationID.xy);
    if (2 * quad.x < lens.work.x && 2 * quad.y < lens.work.y) pyramid[halfPlace(quad)] = pack64ForStore(uvec4(0u));
}

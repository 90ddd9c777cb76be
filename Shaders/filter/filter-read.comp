#version 450
#extension GL_GOOGLE_include_directive : require
// The picture as encoded colours, for a filter of the user's; its result begins black. One thread makes four pixels of a row.
layout(local_size_x = 8, local_size_y = 8) in;
#include "lens.glsl"
#include "transfer.glsl"
#include "picture.glsl"
layout(binding = 0, r32ui) readonly uniform uimageBuffer picture;
layout(binding = 1, rgba32f) writeonly uniform image2D colours;
layout(binding = 2, rgba32f) writeonly uniform image2D filtered;
#include "read-row.glsl"

void store(ivec2 p, vec3 colour) {
    if (any(greaterThanEqual(p, imageSize(colours)))) return;
    imageStore(colours, p, vec4(colour, 1.0));
    imageStore(filtered, p, vec4(0.0, 0.0, 0.0, 1.0));
}

void main() {
    ivec2 p = ivec2(gl_GlobalInvocationID.xy) * ivec2(4, 1);
    if (any(greaterThanEqual(p, lens.size))) return;
    Row row = readRow(p);
    store(p, row.a);
    store(p + ivec2(1, 0), row.b);
    store(p + ivec2(2, 0), row.c);
    store(p + ivec2(3, 0), row.d);
}

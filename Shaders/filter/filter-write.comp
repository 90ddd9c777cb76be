#version 450
#extension GL_GOOGLE_include_directive : require
// Result of the user's filter, in the picture's own codes. One thread makes two rows of four pixels.
layout(local_size_x = 8, local_size_y = 8) in;
#include "lens.glsl"
#include "transfer.glsl"
#include "picture.glsl"
layout(binding = 0, r32ui) readonly uniform uimageBuffer picture; // for alpha
layout(binding = 1) writeonly buffer Result { uint result[]; };
layout(binding = 2, rgba32f) readonly uniform image2D filtered;
#include "read-row.glsl"
#include "quantize.glsl"
#include "write-rows.glsl"

vec3 colourAt(ivec2 p) { return clamp(imageLoad(filtered, min(p, imageSize(filtered) - 1)).rgb, 0.0, 1.0); }

Row filteredRow(ivec2 p) {
    Row row = readRow(p);
    row.a = colourAt(p);
    row.b = colourAt(p + ivec2(1, 0));
    row.c = colourAt(p + ivec2(2, 0));
    row.d = colourAt(p + ivec2(3, 0));
    return row;
}

void main() {
    ivec2 p = ivec2(gl_GlobalInvocationID.xy) * ivec2(4, 2);
    if (any(greaterThanEqual(p, lens.size))) return;
    writeRows(p, filteredRow(p), filteredRow(p + ivec2(0, 1)), bvec4(true), bvec4(true));
}

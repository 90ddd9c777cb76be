#version 450
#extension GL_GOOGLE_include_directive : require
// Darkens the finished picture towards its corners. One thread makes 4 x 2 pixels.
layout(local_size_x = 8, local_size_y = 16) in;
layout(constant_id = 0) const int SCALE = 2;
layout(constant_id = 1) const float CORNER = 0.0;   // squared tangent of the field angle in a corner
layout(constant_id = 2) const float CATS_EYE = 0.0; // distance in a corner of the two circles that the opening lies in, radii
#include "lens.glsl"
#include "transfer.glsl"
#include "tile.glsl"
#include "colour.glsl"
#include "picture.glsl"
layout(binding = 1, r32ui) readonly uniform uimageBuffer picture; // the result itself, where something blurred is in it
layout(binding = 2) writeonly buffer Result { uint result[]; };
#include "read-row.glsl"
#include "quantize.glsl"
#include "write-rows.glsl"

// Share of the light that reaches a pixel: cos^4 of the field angle, times what two circles have in common.
float gain(ivec2 p) {
    vec2 size = vec2(lens.map) / lens.mapPerPixel, away = vec2(p) + 0.5 - 0.5 * size;
    float square = 4.0 * dot(away, away) / dot(size, size);
    float cosine = 1.0 / (1.0 + CORNER * square), apart = 0.5 * CATS_EYE * sqrt(square);
    return cosine * cosine * (2.0 / 3.14159265) * (acos(apart) - apart * sqrt(1.0 - apart * apart));
}

vec3 darkened(vec3 encoded, ivec2 p) { return encode(compress(expand(decode(encoded), lens.knee, lens.bend) * gain(p), lens.knee, lens.bend)); }

void darken(inout Row row, ivec2 p) {
    row.a = darkened(row.a, p);
    row.b = darkened(row.b, p + ivec2(1, 0));
    row.c = darkened(row.c, p + ivec2(2, 0));
    row.d = darkened(row.d, p + ivec2(3, 0));
}

void main() {
    const int across = SCALE / 2;
    ivec2 part = ivec2(int(gl_WorkGroupID.y) % across, int(gl_WorkGroupID.y) / across) * 32;
    ivec2 p = tilePlace(ownTile()) * (TILE * SCALE) + part + ivec2(gl_LocalInvocationID.xy) * ivec2(4, 2);
    if (p.x >= lens.size.x || p.y >= lens.size.y) return;
    Row upper = readRow(p), lower = readRow(p + ivec2(0, 1));
    darken(upper, p);
    darken(lower, p + ivec2(0, 1));
    writeRows(p, upper, lower, bvec4(true), bvec4(true));
}

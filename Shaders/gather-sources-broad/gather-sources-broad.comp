#version 450
#extension GL_GOOGLE_include_directive : require
// Sources of gather.comp where it gathers broadly, from those of gather-sources.comp; radii in halves of a pixel of this size.
// Each is made from 4 x 4 of them, so that texture as fine as the grid does not flicker when it moves.
layout(local_size_x = 8, local_size_y = 8) in;
#include "lens.glsl"
#include "tile.glsl"
#include "halves.glsl"
#include "gather-source.glsl"
#include "level.glsl"
layout(binding = 1, rgba32ui) readonly uniform uimageBuffer sources; // light as halves
layout(binding = 2, r32f) readonly uniform imageBuffer radius;
layout(binding = 3) writeonly buffer BroadSources { u64vec2 broadSources[]; };
layout(binding = 4) writeonly buffer BroadRadius { float broadRadius[]; };

vec4 sum = vec4(0.0); // light and coverage
float sumOfRadii = 0.0;

void add(int place, float weight) {
    vec4 light = weight * firstFour(imageLoad(sources, place));
    sum += light;
    sumOfRadii += light.a * imageLoad(radius, place).r;
}

void addRow(int y, ivec4 columns, float weight) {
    int row = halfPlace(ivec2(0, y));
    add(row + columns.x, weight);
    add(row + columns.y, 3.0 * weight);
    add(row + columns.z, 3.0 * weight);
    add(row + columns.w, weight);
}

void main() {
    ivec2 p = tilePlace(ownTile()) * (TILE / 2) + ivec2(gl_LocalInvocationID.xy), size = levelSize(1), last = lens.work / 2 - 1;
    if (p.x >= size.x || p.y >= size.y) return;
    const ivec4 AROUND = ivec4(-1, 0, 1, 2);
    ivec4 columns = clamp(2 * p.x + AROUND, 0, last.x), rows = clamp(2 * p.y + AROUND, 0, last.y);
    addRow(rows.x, columns, 1.0 / 64.0);
    addRow(rows.y, columns, 3.0 / 64.0);
    addRow(rows.z, columns, 3.0 / 64.0);
    addRow(rows.w, columns, 1.0 / 64.0);
    float mean = 0.5 * sumOfRadii / max(sum.a, 1e-6);
    int place = p.y * size.x + p.x;
    broadSources[place] = pack64ForStore(source(sum, broadDisc(mean)));
    broadRadius[place] = materialize(mean);
}

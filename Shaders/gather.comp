#version 450
#extension GL_GOOGLE_include_directive : require
// As disc-coarse.comp where the far layer's depth jumps: a neighbour counts only where its own disc reaches, and what is nearer is laid over
// what is farther. One value for 2 x 2 layer pixels; the opening is round.
layout(local_size_x = 8, local_size_y = 8) in;
layout(constant_id = 0) const int RADIUS = 8; // the largest, in layer pixels, even
#include "lens.glsl"
#include "tile.glsl"
#include "halves.glsl"
layout(binding = 0) readonly buffer Tiles { uint tiles[]; };
layout(binding = 1, rgba32ui) readonly uniform uimage2D sources; // light as halves, the disc's radius, one by its square
layout(binding = 2, r32f) readonly uniform image2D radius;
layout(binding = 3, rg32ui) writeonly uniform uimage2D blurredLayer;

const float SOFT = 0.5; // layer pixels that a nearer neighbour's disc is smaller, at least; one more makes it all nearer

void main() {
    uint tile = tiles[lens.firstTile + int(gl_WorkGroupID.x)];
    ivec2 q = tilePlace(tile) * 8 + ivec2(gl_LocalInvocationID.xy);
    if (2 * q.x >= lens.work.x || 2 * q.y >= lens.work.y) return;
    ivec2 last = lens.work / 2 - 1;
    float own = imageLoad(radius, q).r;
    own = own > 0.0 ? own : tileRadius(tile);
    float disc = coarseDisc(own), most = min(disc, float(RADIUS)), least = 1.0 / (most * most);
    vec4 nearer = vec4(0.0), other = vec4(0.0);
    float farthest = 0.5 * most + 0.5;
    int rows = int(farthest);
    for (int dy = -rows; dy <= rows; dy++) {
        int y = q.y + dy;
        if (y < 0 || y > last.y) continue;
        int columns = int(sqrt(max(farthest * farthest - float(dy * dy), 0.0)));
        int end = min(q.x + columns, last.x);
        for (int x = max(q.x - columns, 0); x <= end; x++) {
            uvec4 theirs = imageLoad(sources, ivec2(x, y));
            float reach = uintBitsToFloat(theirs.z), away = length(vec2(x - q.x, dy));
            float weight = clamp(0.5 * min(reach, most) - away + 0.5, 0.0, 1.0) * max(uintBitsToFloat(theirs.w), least);
            float share = clamp(disc - reach - SOFT, 0.0, 1.0);
            vec4 light = firstFour(theirs) * weight;
            nearer += light * share;
            other += light * (1.0 - share);
        }
    }
    const float UNIT = 4.0 / 3.14159265; // of the disc's area in coarse pixels
    nearer *= UNIT * min(1.0 / max(UNIT * nearer.a, 1e-9), 1.0);
    other *= UNIT;
    float cover = min(nearer.a + other.a, 1.0);
    vec3 light = nearer.rgb + (1.0 - nearer.a) * (other.a > 1e-4 ? other.rgb / other.a : nearer.rgb / max(nearer.a, 1e-6));
    imageStore(blurredLayer, q, halves(vec4(light, 1.0) * cover));
}

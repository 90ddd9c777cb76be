#version 450
#extension GL_GOOGLE_include_directive : require
// As disc-coarse.comp where the far layer's depth jumps: a neighbour counts only where its own disc reaches, and what is nearer is laid over
// what is farther. One value for 2 x 2 layer pixels; the opening is round. One thread makes four values, one below the other: they share
// most neighbours.
layout(local_size_x = 8, local_size_y = 2) in;
layout(constant_id = 0) const int LEVEL = 0; // 1: of blocks of tiles, broadly: one value for 4 x 4, radii in halves of such a pixel
#include "lens.glsl"
#include "tile.glsl"
#include "halves.glsl"
#include "level.glsl"
layout(binding = 1, rgba32ui) readonly uniform uimageBuffer sources; // as gather-source.glsl packs them
layout(binding = 2, r32f) readonly uniform imageBuffer radius;
layout(binding = 3) writeonly buffer Blurred { uint64_t blurredLayer[]; };

const float SOFT = 0.5;                    // layer pixels that a nearer neighbour's disc is smaller, at least; one more makes it all nearer
const float SIZE = LEVEL == 1 ? 2.0 : 1.0; // of a value's pixel, in coarse ones

struct Gathered {
    float disc, drawn, inverse; // the disc's radius, as much of it as is drawn, one by that
    vec4 nearer, all;
};
Gathered first, second, third, fourth; // no array: a software device would keep it in memory

float discOf(float radius) { return LEVEL == 1 ? broadDisc(radius) : coarseDisc(radius); }

Gathered nothing(int place, uint tile) {
    float own = imageLoad(radius, place).r, largest = tileRadius(tile);
    // Beyond the tile's largest disc nothing is read.
    float disc = discOf(own > 0.0 ? own : largest), drawn = min(disc, discOf(largest));
    return Gathered(disc, drawn, 1.0 / drawn, vec4(0.0), vec4(0.0));
}

void add(inout Gathered sum, vec4 light, float reach, float inverse, float square) {
    float radius = 0.5 * min(reach, sum.drawn);
    inverse = max(inverse, sum.inverse);
    // Their disc's edge is one pixel wide.
    vec4 weighted = light * (clamp((radius * radius - square) * inverse + 0.5, 0.0, 1.0) * inverse * inverse);
    sum.all += weighted;
    sum.nearer += weighted * clamp(SIZE * (sum.disc - reach) - SOFT, 0.0, 1.0);
}

uvec2 mean(Gathered sum) {
    vec4 nearer = sum.nearer, other = sum.all - nearer;
    const float UNIT = 4.0 / 3.14159265; // of the disc's area in coarse pixels
    nearer *= UNIT * min(1.0 / max(UNIT * nearer.a, 1e-9), 1.0);
    other *= UNIT;
    float cover = min(nearer.a + other.a, 1.0);
    vec3 light = nearer.rgb + (1.0 - nearer.a) * (other.a > 1e-4 ? other.rgb / other.a : nearer.rgb / max(nearer.a, 1e-6));
    return halves(vec4(light, 1.0) * cover).xy;
}

void main() {
    uint tile = ownTile();
    ivec2 q = tilePlace(tile) * (TILE / 2) + ivec2(gl_LocalInvocationID.xy) * ivec2(1, 4), size = levelSize(LEVEL), last = size - 1;
    if (q.x > last.x || q.y > last.y) return;
    int place = q.y * size.x + q.x, below = last.y - q.y;
    first = nothing(place, tile);
    second = nothing(place + min(1, below) * size.x, tile);
    third = nothing(place + min(2, below) * size.x, tile);
    fourth = nothing(place + min(3, below) * size.x, tile);
    float farthest = 0.5 * max(max(first.drawn, second.drawn), max(third.drawn, fourth.drawn)) + 0.5;
    int rows = int(farthest);
    for (int dy = -rows; dy <= rows + 3; dy++) {
        int y = q.y + dy;
        if (y < 0 || y > last.y) continue;
        float away = float(max(max(-dy, dy - 3), 0));
        int columns = int(sqrt(max(farthest * farthest - away * away, 0.0)));
        int end = min(q.x + columns, last.x), row = y * size.x;
        for (int x = max(q.x - columns, 0); x <= end; x++) {
            uvec4 theirs = imageLoad(sources, row + x);
            vec4 light = firstFour(theirs);
            float reach = uintBitsToFloat(theirs.z), inverse = uintBitsToFloat(theirs.w);
            float square = float((x - q.x) * (x - q.x) + dy * dy);
            add(first, light, reach, inverse, square);
            add(second, light, reach, inverse, square + float(1 - 2 * dy));
            add(third, light, reach, inverse, square + float(4 - 4 * dy));
            add(fourth, light, reach, inverse, square + float(9 - 6 * dy));
        }
    }
    blurredLayer[place] = pack64ForStore(mean(first));
    if (below >= 1) blurredLayer[place + size.x] = pack64ForStore(mean(second));
    if (below >= 2) blurredLayer[place + 2 * size.x] = pack64ForStore(mean(third));
    if (below >= 3) blurredLayer[place + 3 * size.x] = pack64ForStore(mean(fourth));
}

#version 450
#extension GL_GOOGLE_include_directive : require
// Scatter as gather (Jimenez 2014), where the far layer's depth jumps: a neighbour counts where its own disc and this pixel's reach, and what is
// nearer, which has the smaller disc, is laid over what is farther. One value for 2 x 2 layer pixels; the opening is round. One thread makes four
// values, one below the other: they share most neighbours. Radii of discs are halves of a value's pixel, distances whole ones.
layout(local_size_x = 8, local_size_y = 2) in;
layout(constant_id = 0) const int LEVEL = 0; // 1: of blocks of tiles, broadly: one value for 4 x 4, of layer pixels
#include "lens.glsl"
#include "tile.glsl"
#include "halves.glsl"
#include "level.glsl"
layout(binding = 1, rgba32ui) readonly uniform uimageBuffer sources; // as gather-source.glsl packs them
layout(binding = 2, r32f) readonly uniform imageBuffer radius;
layout(binding = 3) writeonly buffer Blurred { uint64_t blurredLayer[]; };

const float SOFT = 0.5;                            // layer pixels that a nearer neighbour's disc is smaller, at least; one more makes it all nearer
const float LAYER_PIXELS = LEVEL == 1 ? 2.0 : 1.0; // in half of a value's pixel

struct Sum {
    float ownDisc;    // this pixel's: where nothing is blurred here, the tile's largest, for the colour nearby
    float drawn;      // as much of it as is drawn
    float inverse;    // 1 / drawn
    vec4 nearer, all; // premultiplied light
};
Sum first, second, third, fourth; // no array: a software device would keep it in memory

float discOf(float radius) { return LEVEL == 1 ? broadDisc(radius) : coarseDisc(radius); }

Sum emptySum(int place, uint tile) {
    float own = imageLoad(radius, place).r, largest = tileRadius(tile);
    float disc = discOf(own > 0.0 ? own : largest);
    // Beyond the tile's largest disc nothing is read.
    float drawn = min(disc, discOf(largest));
    return Sum(disc, drawn, 1.0 / drawn, vec4(0.0), vec4(0.0));
}

// Adds a neighbour at a squared distance, its disc clipped at this pixel's, with an edge one pixel wide.
void add(inout Sum sum, vec4 light, float theirDisc, float inverse, float square) {
    float radius = 0.5 * min(theirDisc, sum.drawn);
    inverse = max(inverse, sum.inverse);
    vec4 weighted = light * (clamp((radius * radius - square) * inverse + 0.5, 0.0, 1.0) * inverse * inverse);
    sum.all += weighted;
    sum.nearer += weighted * clamp(LAYER_PIXELS * (sum.ownDisc - theirDisc) - SOFT, 0.0, 1.0);
}

uvec2 composited(Sum sum) {
    vec4 nearer = sum.nearer, other = sum.all - nearer;
    const float UNIT = 4.0 / 3.14159265;                         // the disc's area is 1 / (UNIT inverse^2) pixels
    nearer *= UNIT * min(1.0 / max(UNIT * nearer.a, 1e-9), 1.0); // at most opaque
    other *= UNIT;
    float cover = min(nearer.a + other.a, 1.0);
    // Without anything farther, the nearer colour goes on behind itself.
    vec3 light = nearer.rgb + (1.0 - nearer.a) * (other.a > 1e-4 ? other.rgb / other.a : nearer.rgb / max(nearer.a, 1e-6));
    return halves(vec4(light, 1.0) * cover).xy;
}

void main() {
    uint tile = ownTile();
    ivec2 q = tilePlace(tile) * (TILE / 2) + ivec2(gl_LocalInvocationID.xy) * ivec2(1, 4);
    ivec2 size = levelSize(LEVEL), last = size - 1;
    if (q.x > last.x || q.y > last.y) return;
    int place = q.y * size.x + q.x, below = last.y - q.y;
    first = emptySum(place, tile);
    second = emptySum(place + min(1, below) * size.x, tile);
    third = emptySum(place + min(2, below) * size.x, tile);
    fourth = emptySum(place + min(3, below) * size.x, tile);
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
            float theirDisc = uintBitsToFloat(theirs.z), inverse = uintBitsToFloat(theirs.w);
            float square = float((x - q.x) * (x - q.x) + dy * dy);
            add(first, light, theirDisc, inverse, square);
            add(second, light, theirDisc, inverse, square + float(1 - 2 * dy));
            add(third, light, theirDisc, inverse, square + float(4 - 4 * dy));
            add(fourth, light, theirDisc, inverse, square + float(9 - 6 * dy));
        }
    }
    blurredLayer[place] = pack64ForStore(composited(first));
    if (below >= 1) blurredLayer[place + size.x] = pack64ForStore(composited(second));
    if (below >= 2) blurredLayer[place + 2 * size.x] = pack64ForStore(composited(third));
    if (below >= 3) blurredLayer[place + 3 * size.x] = pack64ForStore(composited(fourth));
}

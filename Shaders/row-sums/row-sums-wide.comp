#version 450
#extension GL_GOOGLE_include_directive : require
// The sums of row-sums.comp, for devices of many threads: one workgroup makes a pair of rows of a run, each thread the 16 columns of a tile.
layout(local_size_x = 64) in;
layout(constant_id = 0) const int FLAGGED = 0; // 1: tiles without a flag hold nothing
layout(constant_id = 1) const int FINE = 1;    // 0: of pairs of rows
#include "lens.glsl"
#include "transfer.glsl"
#include "tile.glsl"
layout(binding = 1, rgba32ui) readonly uniform uimageBuffer layer; // two pixels in a row
layout(binding = 2) writeonly buffer Sums { u64vec2 sums[]; };
layout(binding = 3) writeonly buffer Pairs { u64vec2 pairs[]; };
#include "halves.glsl"
#include "fixed-point.glsl"

uvec4 pixel(ivec2 at) {
    uvec4 two = imageLoad(layer, halfPlace(at >> ivec2(1, 0)));
    return fixedPoint((at.x & 1) == 0 ? firstFour(two) : secondFour(two), at);
}

shared uvec4 upperSums[64], lowerSums[64];

// The sums of the pixels left of x.
void store(int x, int y, uvec4 sum, uvec4 below) {
    if (FINE == 1) {
        sums[sumPlace(ivec2(x, y))] = pack64ForStore(sum);
        sums[sumPlace(ivec2(x, y + 1))] = pack64ForStore(below);
    } else pairs[sumPlace(ivec2(x, y >> 1))] = pack64ForStore(sum + below);
}

void main() {
    uint run = ownTile();
    ivec2 start = tilePlace(run);
    int y = TILE * start.y + 2 * int(gl_WorkGroupID.y), lane = int(gl_LocalInvocationID.x);
    if (y >= lens.work.y) return;
    if (lane == 0) store(TILE * start.x, y, uvec4(0u), uvec4(0u));
    uvec4 left = uvec4(0u), leftBelow = uvec4(0u); // of the tiles before these 64
    int end = start.x + runLength(run);
    for (int first = start.x; first < end; first += 64) {
        int tile = first + lane, from = TILE * tile;
        bool counts = tile < end && (FLAGGED == 0 || (tileFlags(ivec2(min(tile, end - 1), start.y)) & 1u) == 1u);
        uvec4 upper = uvec4(0u), lower = uvec4(0u);
        if (counts) {
            for (int x = from; x < from + TILE; x++) {
                upper += pixel(ivec2(x, y));
                lower += pixel(ivec2(x, y + 1));
            }
        }
        upperSums[lane] = upper;
        lowerSums[lane] = lower;
        barrier();
        for (int step = 1; step < 64; step *= 2) {
            uvec4 a = lane >= step ? upperSums[lane - step] : uvec4(0u), b = lane >= step ? lowerSums[lane - step] : uvec4(0u);
            barrier();
            upperSums[lane] += a;
            lowerSums[lane] += b;
            barrier();
        }
        uvec4 sum = left + upperSums[lane] - upper, below = leftBelow + lowerSums[lane] - lower;
        left += upperSums[63];
        leftBelow += lowerSums[63];
        barrier();
        if (tile >= end) continue;
        for (int x = from; x < from + TILE; x++) {
            if (counts) {
                sum += pixel(ivec2(x, y));
                below += pixel(ivec2(x, y + 1));
            }
            store(x + 1, y, sum, below);
        }
    }
}

#version 450
#extension GL_GOOGLE_include_directive : require
// What row-sums.comp computes, for devices of many threads: one workgroup makes a pair of rows, each thread the 16 columns of a tile.
layout(local_size_x = 64) in;
layout(constant_id = 0) const int FLAGGED = 0; // 1: tiles without a flag hold nothing
layout(constant_id = 1) const int FINE = 1;    // 0: only the sums of pairs
#include "lens.glsl"
#include "coding.glsl"
layout(binding = 0) readonly buffer Tiles { uint tiles[]; }; // the list of rows of tiles; flags of tiles from its first word on
layout(binding = 1, rgba32ui) readonly uniform uimage2D layer; // two pixels in a row
layout(binding = 2, rgba32ui) writeonly uniform uimage2D sums;
layout(binding = 3, rgba32ui) writeonly uniform uimage2D pairs;
#include "halves.glsl"
#include "fixed-point.glsl"

uvec4 pixel(ivec2 at) {
    uvec4 two = imageLoad(layer, at >> ivec2(1, 0));
    return fixedPoint((at.x & 1) == 0 ? firstFour(two) : secondFour(two), at);
}

shared uvec4 upperSums[64], lowerSums[64];

void main() {
    int row = int(tiles[lens.firstTile + int(gl_WorkGroupID.x)]), lane = int(gl_LocalInvocationID.x);
    int y = 16 * row + 2 * int(gl_WorkGroupID.y), columns = (lens.work.x + 15) / 16;
    if (y >= lens.work.y) return;
    if (lane == 0) {
        imageStore(pairs, ivec2(0, y >> 1), uvec4(0u));
        if (FINE == 1) {
            imageStore(sums, ivec2(0, y), uvec4(0u));
            imageStore(sums, ivec2(0, y + 1), uvec4(0u));
        }
    }
    uvec4 left = uvec4(0u), leftBelow = uvec4(0u); // of the tiles before these 64
    for (int first = 0; first < columns; first += 64) {
        int tile = first + lane, from = 16 * tile;
        bool counts = tile < columns && (FLAGGED == 0 || (tiles[row * columns + min(tile, columns - 1)] & 1u) == 1u);
        uvec4 upper = uvec4(0u), lower = uvec4(0u);
        if (counts) {
            for (int x = from; x < from + 16; x++) {
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
        if (tile >= columns) continue;
        for (int x = from; x < from + 16; x++) {
            if (counts) {
                sum += pixel(ivec2(x, y));
                below += pixel(ivec2(x, y + 1));
            }
            if (FINE == 1) {
                imageStore(sums, ivec2(x + 1, y), sum);
                imageStore(sums, ivec2(x + 1, y + 1), below);
            }
            imageStore(pairs, ivec2(x + 1, y >> 1), sum + below);
        }
    }
}

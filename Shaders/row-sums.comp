#version 450
#extension GL_GOOGLE_include_directive : require
// Running sums along each row of a layer, in fixed point, and along each pair of rows: column x holds the sum of the x pixels left of it.
// Modulo 2^32, so differences are exact. One workgroup makes the rows of a tile.
layout(local_size_x = 8) in;
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

uvec4 sum = uvec4(0u), below = uvec4(0u);

void add(ivec2 at, uvec4 upper, uvec4 lower) {
    sum += upper;
    below += lower;
    if (FINE == 1) {
        imageStore(sums, at + ivec2(1, 0), sum);
        imageStore(sums, at + ivec2(1, 1), below);
    }
    imageStore(pairs, ivec2(at.x + 1, at.y >> 1), sum + below);
}

void addTwo(ivec2 at, uint flag) {
    uvec4 upper = imageLoad(layer, at >> ivec2(1, 0)), lower = imageLoad(layer, (at >> ivec2(1, 0)) + ivec2(0, 1));
    ivec2 right = at + ivec2(1, 0), under = ivec2(0, 1);
    add(at, fixedPoint(firstFour(upper), at) * flag, fixedPoint(firstFour(lower), at + under) * flag);
    add(right, fixedPoint(secondFour(upper), right) * flag, fixedPoint(secondFour(lower), right + under) * flag);
}

void main() {
    int row = int(tiles[lens.firstTile + int(gl_WorkGroupID.x)]);
    int y = 16 * row + 2 * int(gl_LocalInvocationID.x);
    if (y >= lens.work.y) return;
    int columns = (lens.work.x + 15) / 16;
    imageStore(pairs, ivec2(0, y >> 1), uvec4(0u));
    if (FINE == 1) {
        imageStore(sums, ivec2(0, y), uvec4(0u));
        imageStore(sums, ivec2(0, y + 1), uvec4(0u));
    }
    for (int tile = 0; tile < columns; tile++) {
        uint flag = FLAGGED == 1 ? tiles[row * columns + tile] & 1u : 1u;
        for (int x = 16 * tile; x < 16 * tile + 16; x += 4) {
            addTwo(ivec2(x, y), flag);
            addTwo(ivec2(x + 2, y), flag);
        }
    }
}

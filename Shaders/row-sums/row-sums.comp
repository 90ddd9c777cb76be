#version 450
#extension GL_GOOGLE_include_directive : require
// Running sums along the rows, or the pairs of rows, of a run of tiles, in fixed point: column x holds the sum of the run's pixels left of x.
// Modulo 2^32, so differences are exact. One workgroup makes the rows of a run.
layout(local_size_x = 8) in;
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

uvec4 sum = uvec4(0u), below = uvec4(0u);

void add(ivec2 at, uvec4 upper, uvec4 lower) {
    sum += upper;
    below += lower;
    if (FINE == 1) {
        sums[sumPlace(at + ivec2(1, 0))] = pack64ForStore(sum);
        sums[sumPlace(at + ivec2(1, 1))] = pack64ForStore(below);
    } else pairs[sumPlace(ivec2(at.x + 1, at.y >> 1))] = pack64ForStore(sum + below);
}

void addTwo(ivec2 at, uint flag) {
    int place = halfPlace(at >> ivec2(1, 0));
    uvec4 upper = imageLoad(layer, place), lower = imageLoad(layer, place + (lens.work.x >> 1));
    ivec2 right = at + ivec2(1, 0), under = ivec2(0, 1);
    add(at, fixedPoint(firstFour(upper), at) * flag, fixedPoint(firstFour(lower), at + under) * flag);
    add(right, fixedPoint(secondFour(upper), right) * flag, fixedPoint(secondFour(lower), right + under) * flag);
}

void main() {
    uint run = ownTile();
    ivec2 start = tilePlace(run);
    int y = TILE * start.y + 2 * int(gl_LocalInvocationID.x);
    if (y >= lens.work.y) return;
    add(ivec2(TILE * start.x - 1, y), uvec4(0u), uvec4(0u));
    int end = start.x + runLength(run);
    for (int tile = start.x; tile < end; tile++) {
        uint flag = FLAGGED == 1 ? tileFlags(ivec2(tile, start.y)) & 1u : 1u;
        for (int x = TILE * tile; x < TILE * tile + TILE; x += 4) {
            addTwo(ivec2(x, y), flag);
            addTwo(ivec2(x + 2, y), flag);
        }
    }
}

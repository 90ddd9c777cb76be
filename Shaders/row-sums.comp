#version 450
#extension GL_GOOGLE_include_directive : require
// Running sums along each row, in place, and along each pair of rows: column x holds the sum of the x pixels left of it.
// Modulo 2^32, so differences are exact. One workgroup makes the rows of a tile.
layout(local_size_x = 8) in;
layout(constant_id = 0) const int FLAGGED = 0; // 1: tiles without a flag hold nothing
layout(constant_id = 1) const int FINE = 1;    // 0: only the sums of pairs
#include "lens.glsl"
layout(binding = 0) readonly buffer Tiles { uint tiles[]; }; // the list of rows of tiles; flags of tiles from its first word on
layout(binding = 1, rgba32ui) uniform uimage2D layer;
layout(binding = 2, rgba32ui) writeonly uniform uimage2D pairs;

uvec4 sum = uvec4(0u), below = uvec4(0u);

void step(int x, int y, uint flag) {
    uvec4 upper = imageLoad(layer, ivec2(x, y)), lower = imageLoad(layer, ivec2(x, y + 1));
    if (FINE == 0) {
        sum += (upper + lower) * flag;
        imageStore(pairs, ivec2(x, y >> 1), sum);
        return;
    }
    sum += upper * flag;
    below += lower * flag;
    imageStore(layer, ivec2(x, y), sum);
    imageStore(layer, ivec2(x, y + 1), below);
    imageStore(pairs, ivec2(x, y >> 1), sum + below);
}

void main() {
    int row = int(tiles[lens.firstTile + int(gl_WorkGroupID.x)]);
    int y = 16 * row + 2 * int(gl_LocalInvocationID.x);
    if (y >= lens.work.y) return;
    int columns = (lens.work.x + 15) / 16;
    imageStore(pairs, ivec2(0, y >> 1), uvec4(0u));
    if (FINE == 1) {
        imageStore(layer, ivec2(0, y), uvec4(0u));
        imageStore(layer, ivec2(0, y + 1), uvec4(0u));
    }
    for (int tile = 0; tile < columns; tile++) {
        uint flag = FLAGGED == 1 ? tiles[row * columns + tile] & 1u : 1u;
        for (int x = 16 * tile + 1; x <= 16 * tile + 16; x += 4) {
            step(x, y, flag);
            step(x + 1, y, flag);
            step(x + 2, y, flag);
            step(x + 3, y, flag);
        }
    }
}

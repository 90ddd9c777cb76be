#version 450
#extension GL_GOOGLE_include_directive : require
// Running sums along each row, in place: column x holds the sum of the x pixels left of it. Modulo 2^32, so differences are exact.
layout(local_size_x = 32) in;
layout(constant_id = 0) const int FLAGGED = 0; // 1: tiles without a flag hold nothing
#include "lens.glsl"
layout(binding = 0) readonly buffer Tiles { uint tiles[]; };
layout(binding = 1, rgba32ui) uniform uimage2D layer;

void main() {
    int y = int(gl_GlobalInvocationID.x);
    if (y >= lens.work.y) return;
    int columns = (lens.work.x + 15) / 16;
    imageStore(layer, ivec2(0, y), uvec4(0u));
    uvec4 sum = uvec4(0u);
    for (int tile = 0; tile < columns; tile++) {
        uint flag = FLAGGED == 1 ? tiles[lens.firstTile + (y / 16) * columns + tile] : 1u;
        for (int x = 16 * tile + 1; x <= 16 * tile + 16; x += 4) {
            uvec4 a = sum + imageLoad(layer, ivec2(x, y)) * flag;
            uvec4 b = a + imageLoad(layer, ivec2(x + 1, y)) * flag;
            uvec4 c = b + imageLoad(layer, ivec2(x + 2, y)) * flag;
            sum = c + imageLoad(layer, ivec2(x + 3, y)) * flag;
            imageStore(layer, ivec2(x, y), a);
            imageStore(layer, ivec2(x + 1, y), b);
            imageStore(layer, ivec2(x + 2, y), c);
            imageStore(layer, ivec2(x + 3, y), sum);
        }
    }
}

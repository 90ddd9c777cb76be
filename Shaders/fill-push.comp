#version 450
#extension GL_GOOGLE_include_directive : require
// One step up of the fill: where a level knows little, the coarser level below it speaks. One thread makes 2 x 2 pixels.
layout(local_size_x_id = 1, local_size_y_id = 2) in;
layout(constant_id = 0) const int TILED = 0; // 1: the last step, of the tiles in a list, 16 threads for one pixel below each
#include "lens.glsl"
#include "tile.glsl"
layout(binding = 0) readonly buffer Tiles { uint tiles[]; };
layout(binding = 1, rgba32f) readonly uniform image2D coarseLight;
layout(binding = 2, rgba32f) readonly uniform image2D coarseRadii;
layout(binding = 3, rgba32f) uniform image2D light;
layout(binding = 4, rgba32f) uniform image2D radii;
#include "upsample.glsl"

void main() {
    ivec2 q = ivec2(gl_GlobalInvocationID.xy);
    if (TILED == 1) {
        int index = int(gl_LocalInvocationIndex);
        q = tilePlace(tiles[lens.firstTile + int(gl_WorkGroupID.x)]) * 4 + ivec2(index & 3, index >> 2);
    }
    if (any(greaterThanEqual(q, imageSize(coarseLight)))) return;
    vec4 belowLight[4], belowRadii[4];
    UPSAMPLE(belowLight, coarseLight, q)
    UPSAMPLE(belowRadii, coarseRadii, q)
    for (int i = 0; i < 4; i++) {
        ivec2 p = 2 * q + ivec2(i & 1, i >> 1);
        if (any(greaterThanEqual(p, imageSize(light)))) continue;
        vec4 shown = imageLoad(light, p);
        vec4 radius = imageLoad(radii, p);
        radius.x += (1.0 - shown.a) * belowRadii[i].x;
        radius.yz += (1.0 - radius.z) * belowRadii[i].yz;
        imageStore(light, p, shown + (1.0 - shown.a) * belowLight[i]);
        imageStore(radii, p, radius);
    }
}

#version 450
#extension GL_GOOGLE_include_directive : require
// The finished picture of coarse pixels that are blurred all over, in the picture's own codes and as light.
layout(local_size_x = 8, local_size_y = 8) in;
layout(constant_id = 0) const int NEAR = 2; // 0: no near layer reaches these tiles, 1: it reaches them, 2: something is in front here
#include "lens.glsl"
#include "coding.glsl"
#include "tile.glsl"
#include "colour.glsl"
#include "picture.glsl"
layout(binding = 0) readonly buffer Tiles { uint tiles[]; };
layout(binding = 1, rgba32f) readonly uniform image2D farBlur;
layout(binding = 2, rgba32f) readonly uniform image2D nearBlur;
layout(binding = 3, rgba32f) readonly uniform image2D coarseFill;
layout(binding = 4, rgba32f) writeonly uniform image2D coded;
layout(binding = 5, rgba32f) writeonly uniform image2D finished;

void main() {
    ivec2 q = tilePlace(tiles[lens.firstTile + int(gl_WorkGroupID.x)]) * 8 + ivec2(gl_LocalInvocationID.xy);
    if (2 * q.x >= lens.work.x || 2 * q.y >= lens.work.y) return;
    vec4 far = imageLoad(farBlur, q);
    vec3 light = far.rgb / max(far.a, 1e-4);
    if (NEAR == 2) {
        vec4 hidden = imageLoad(coarseFill, q);
        light = mix(hidden.rgb, light, far.a > 1e-4 ? hidden.a : 0.0);
    }
    if (NEAR > 0) {
        vec4 near = imageLoad(nearBlur, q);
        light = near.rgb + (1.0 - near.a) * light;
    }
    imageStore(finished, q, vec4(light, 0.0));
    vec3 colour = encode(compress(light, lens.knee, lens.bend));
    imageStore(coded, q, vec4(FORMAT != 1 ? yCbCrOfRGB(colour) : colour * 255.0, 0.0));
}

#version 450
#extension GL_GOOGLE_include_directive : require
// In the near layer's reach: spreads the near radius; behind it, completes the far layer and keeps the hidden scene. One thread makes 2 x 2 pixels.
layout(local_size_x = 8, local_size_y = 8) in;
layout(constant_id = 0) const int SCALE = 2;
layout(constant_id = 1) const int HIDES = 1; // 0: nothing is in front here
#include "lens.glsl"
#include "tile.glsl"
layout(binding = 0) readonly buffer Tiles { uint tiles[]; };
layout(binding = 1, rgba32f) readonly uniform image2D light;
layout(binding = 2, rgba32f) readonly uniform image2D radii;
layout(binding = 3, rgba32ui) uniform uimage2D farLayer;
layout(binding = 4, rgba32f) uniform image2D farRadii; // of 2 x 2 pixels
layout(binding = 5, rgba32ui) readonly uniform uimage2D nearLayer;
layout(binding = 6, rgba32f) uniform image2D nearRadii;
layout(binding = 7, rgba32ui) writeonly uniform uimage2D fill; // of two pixels in a row, as halves of a word
layout(binding = 8, r32f) writeonly uniform image2D farCoarseRadius;
layout(binding = 9, r32f) writeonly uniform image2D nearCoarseRadius;
layout(binding = 10, rgba32f) writeonly uniform image2D coarseFill;
#include "upsample.glsl"

vec2 farSum = vec2(0.0); // radius times coverage, coverage
float nearSum = 0.0;
vec3 hiddenSum = vec3(0.0);
vec4 farFour, nearFour;
uvec4 filled;

void resolve(ivec2 p, int index, vec4 shown, vec4 radius) {
    ivec2 q = p + ivec2(1, 0);
    float spread = radius.y / max(radius.z, 1e-6);
    float near = 0.0;
    if (HIDES == 1) {
        near = float(int(imageLoad(nearLayer, q).a)) * (1.0 / ONE);
        spread = near > 0.0 ? nearFour[index] : spread;
    }
    nearSum += spread;
    nearFour[index] = spread;
    if (HIDES == 0) return;
    float inverse = 1.0 / max(shown.a, 1e-6);
    vec3 colour = shown.rgb * inverse;
    float hiddenRadius = radius.x * inverse;
    float far = blurred(hiddenRadius * float(SCALE));
    uvec2 packed = near > 0.0 ? uvec2(packHalf2x16(colour.rg), packHalf2x16(vec2(colour.b, far))) : uvec2(0u);
    if ((index & 1) == 0) filled.xy = packed;
    else imageStore(fill, ivec2(p.x >> 1, p.y), uvec4(filled.xy, packed));
    uvec4 before = imageLoad(farLayer, q);
    vec4 layer = vec4(ivec4(before)) * (1.0 / ONE);
    float own = farFour[index];
    float share = near * far;
    float cover = layer.a + share;
    float merged = (own * layer.a + hiddenRadius * share) / max(cover, 1e-6);
    farSum += vec2(merged * cover, cover);
    hiddenSum += 0.25 * colour;
    imageStore(farLayer, q, share > 0.0 ? uvec4(ivec4((layer + vec4(colour, 1.0) * share) * ONE + 0.5)) : before);
    farFour[index] = merged;
}

void main() {
    uint tile = tiles[lens.firstTile + int(gl_WorkGroupID.x)];
    ivec2 q = tilePlace(tile) * 8 + ivec2(gl_LocalInvocationID.xy);
    if (2 * q.x >= lens.work.x || 2 * q.y >= lens.work.y) return;
    vec4 shown[4] = vec4[](vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0)), radius[4];
    if (HIDES == 1) UPSAMPLE(shown, light, q)
    UPSAMPLE(radius, radii, q)
    if (HIDES == 1) {
        farFour = imageLoad(farRadii, q);
        nearFour = imageLoad(nearRadii, q);
    }
    resolve(2 * q, 0, shown[0], radius[0]);
    resolve(2 * q + ivec2(1, 0), 1, shown[1], radius[1]);
    resolve(2 * q + ivec2(0, 1), 2, shown[2], radius[2]);
    resolve(2 * q + ivec2(1, 1), 3, shown[3], radius[3]);
    imageStore(nearRadii, q, nearFour);
    imageStore(nearCoarseRadius, q, vec4(0.25 * nearSum));
    if (HIDES == 0) return;
    imageStore(farRadii, q, farFour);
    imageStore(farCoarseRadius, q, vec4(farSum.x / max(farSum.y, 1e-6)));
    imageStore(coarseFill, q, vec4(hiddenSum, 0.25 * farSum.y));
}

#version 450
#extension GL_GOOGLE_include_directive : require
// In the near layer's reach: spreads the near radius; behind it, completes the far layer and keeps the hidden scene. One thread makes 2 x 2 pixels.
layout(local_size_x = 8, local_size_y = 8) in;
layout(constant_id = 0) const int SCALE = 2;
layout(constant_id = 1) const int HIDES = 1; // 0: nothing is in front here
#include "lens.glsl"
#include "tile.glsl"
layout(binding = 1, rgba32ui) readonly uniform uimage2D known; // light and its weight, far radius, near radius, near coverage
layout(binding = 2, rgba32ui) uniform uimage2D farLayer;       // of two pixels in a row, as the near layer and the fill
layout(binding = 3, rg32ui) uniform uimage2D farRadii; // of 2 x 2 pixels
layout(binding = 4, rgba32ui) readonly uniform uimage2D nearLayer;
layout(binding = 5, rg32ui) uniform uimage2D nearRadii;
layout(binding = 6, rgba32ui) writeonly uniform uimage2D fill;
layout(binding = 7, r32f) writeonly uniform image2D farCoarseRadius;
layout(binding = 8, r32f) writeonly uniform image2D nearCoarseRadius;
layout(binding = 9, rg32ui) writeonly uniform uimage2D coarseFill;
#include "halves.glsl"
#include "upsample.glsl"

vec2 farSum = vec2(0.0); // radius times coverage, coverage
float nearSum = 0.0;
vec3 hiddenSum = vec3(0.0);
vec4 farFour, nearFour;
vec4 filled, merged; // the left of two pixels

void resolve(ivec2 p, int index, vec4 shown, vec4 radius, vec4 layer, float near) {
    float spread = radius.y / max(radius.z, 1e-6);
    if (HIDES == 1) spread = near > 0.0 ? nearFour[index] : spread;
    nearSum += spread;
    nearFour[index] = spread;
    if (HIDES == 0) return;
    float inverse = 1.0 / max(shown.a, 1e-6);
    vec3 colour = shown.rgb * inverse;
    float hiddenRadius = radius.x * inverse;
    float far = blurred(hiddenRadius * float(SCALE));
    vec4 hidden = near > 0.0 ? vec4(colour, far) : vec4(0.0);
    float own = farFour[index];
    float share = near * far;
    float cover = layer.a + share;
    float radiusOfBoth = (own * layer.a + hiddenRadius * share) / max(cover, 1e-6);
    farSum += vec2(radiusOfBoth * cover, cover);
    hiddenSum += 0.25 * colour;
    farFour[index] = radiusOfBoth;
    layer += vec4(colour, 1.0) * share;
    if ((index & 1) == 0) {
        filled = hidden;
        merged = layer;
        return;
    }
    imageStore(fill, p >> ivec2(1, 0), halves(filled, hidden));
    imageStore(farLayer, p >> ivec2(1, 0), halves(merged, layer));
}

void main() {
    uint tile = ownTile();
    ivec2 q = tilePlace(tile) * 8 + ivec2(gl_LocalInvocationID.xy);
    if (2 * q.x >= lens.work.x || 2 * q.y >= lens.work.y) return;
    vec4 shown[4], radius[4];
    UPSAMPLE_BOTH(shown, radius, known, q)
    uvec4 far = uvec4(0u), farBelow = far, near = far, nearBelow = far;
    if (HIDES == 1) {
        far = imageLoad(farLayer, q * ivec2(1, 2));
        farBelow = imageLoad(farLayer, q * ivec2(1, 2) + ivec2(0, 1));
        near = imageLoad(nearLayer, q * ivec2(1, 2));
        nearBelow = imageLoad(nearLayer, q * ivec2(1, 2) + ivec2(0, 1));
        farFour = firstFour(imageLoad(farRadii, q));
        nearFour = firstFour(imageLoad(nearRadii, q));
    }
    resolve(2 * q, 0, shown[0], radius[0], firstFour(far), firstFour(near).a);
    resolve(2 * q + ivec2(1, 0), 1, shown[1], radius[1], secondFour(far), secondFour(near).a);
    resolve(2 * q + ivec2(0, 1), 2, shown[2], radius[2], firstFour(farBelow), firstFour(nearBelow).a);
    resolve(2 * q + ivec2(1, 1), 3, shown[3], radius[3], secondFour(farBelow), secondFour(nearBelow).a);
    imageStore(nearRadii, q, halves(nearFour));
    imageStore(nearCoarseRadius, q, once(0.25 * nearSum));
    if (HIDES == 0) return;
    imageStore(farRadii, q, halves(farFour));
    imageStore(farCoarseRadius, q, once(farSum.x / max(farSum.y, 1e-6)));
    imageStore(coarseFill, q, halves(vec4(hiddenSum, 0.25 * farSum.y)));
}

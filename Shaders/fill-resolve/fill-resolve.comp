#version 450
#extension GL_GOOGLE_include_directive : require
// In the near layer's reach: completes the near radius; behind it, completes the far layer and keeps the hidden scene. One thread makes 2 x 2 pixels.
layout(local_size_x = 8, local_size_y = 8) in;
layout(constant_id = 0) const int SCALE = 2;
layout(constant_id = 1) const int HIDES = 1; // 0: nothing is in front here
#include "lens.glsl"
#include "tile.glsl"
layout(binding = 1, rgba32ui) readonly uniform uimageBuffer pyramid;  // light and its weight, far radius, near radius, near coverage
layout(binding = 2, rgba32ui) readonly uniform uimageBuffer farLayer; // of two pixels in a row, as the near layer and the fill
layout(binding = 3, rgba32ui) readonly uniform uimageBuffer nearLayer;
layout(binding = 4, rg32ui) readonly uniform uimageBuffer farRadii; // of 2 x 2 pixels
layout(binding = 5, rg32ui) readonly uniform uimageBuffer nearRadii;
layout(binding = 6) writeonly buffer FarLayer { u64vec2 newFarLayer[]; };
layout(binding = 7) writeonly buffer FarRadii { uint64_t newFarRadii[]; };
layout(binding = 8) writeonly buffer NearRadii { uint64_t newNearRadii[]; };
layout(binding = 9) writeonly buffer Fill { u64vec2 fill[]; };
layout(binding = 10) writeonly buffer FarCoarseRadius { float farCoarseRadius[]; };
layout(binding = 11) writeonly buffer NearCoarseRadius { float nearCoarseRadius[]; };
layout(binding = 12) writeonly buffer CoarseFill { uint64_t coarseFill[]; };
#include "halves.glsl"
#include "upsample.glsl"

vec2 farSum = vec2(0.0); // radius times coverage, coverage
float nearSum = 0.0;
vec3 hiddenSum = vec3(0.0);
vec4 farFour, nearFour;
vec4 filled, merged; // the left of two pixels

void resolve(ivec2 p, int index, vec4 shown, vec4 radius, vec4 layer, float near) {
    float completed = radius.y / max(radius.z, 1e-6);
    if (HIDES == 1) completed = near > 0.0 ? nearFour[index] : completed;
    nearSum += completed;
    nearFour[index] = completed;
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
    int place = halfPlace(p >> ivec2(1, 0));
    fill[place] = pack64ForStore(halves(filled, hidden));
    newFarLayer[place] = pack64ForStore(halves(merged, layer));
}

void main() {
    uint tile = ownTile();
    ivec2 q = tilePlace(tile) * (TILE / 2) + ivec2(gl_LocalInvocationID.xy);
    if (2 * q.x >= lens.work.x || 2 * q.y >= lens.work.y) return;
    vec4 shown[4], radius[4];
    UPSAMPLE_BOTH(shown, radius, pyramid, lens.work / 2, q)
    uvec4 far = uvec4(0u), farBelow = far, near = far, nearBelow = far;
    int place = halfPlace(q), upper = halfPlace(q * ivec2(1, 2)), lower = upper + (lens.work.x >> 1);
    if (HIDES == 1) {
        far = imageLoad(farLayer, upper);
        farBelow = imageLoad(farLayer, lower);
        near = imageLoad(nearLayer, upper);
        nearBelow = imageLoad(nearLayer, lower);
        farFour = firstFour(imageLoad(farRadii, place));
        nearFour = firstFour(imageLoad(nearRadii, place));
    }
    resolve(2 * q, 0, shown[0], radius[0], firstFour(far), firstFour(near).a);
    resolve(2 * q + ivec2(1, 0), 1, shown[1], radius[1], secondFour(far), secondFour(near).a);
    resolve(2 * q + ivec2(0, 1), 2, shown[2], radius[2], firstFour(farBelow), firstFour(nearBelow).a);
    resolve(2 * q + ivec2(1, 1), 3, shown[3], radius[3], secondFour(farBelow), secondFour(nearBelow).a);
    newNearRadii[place] = pack64ForStore(halves(nearFour).xy);
    nearCoarseRadius[place] = materialize(0.25 * nearSum);
    if (HIDES == 0) return;
    newFarRadii[place] = pack64ForStore(halves(farFour).xy);
    farCoarseRadius[place] = materialize(farSum.x / max(farSum.y, 1e-6));
    coarseFill[place] = pack64ForStore(halves(vec4(hiddenSum, 0.25 * farSum.y)).xy);
}

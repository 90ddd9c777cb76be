#version 450
#extension GL_GOOGLE_include_directive : require
// Composite of coarse pixels that are blurred all over, encoded: in the picture's own code values and, for the rims of lights, as light.
layout(local_size_x = 8, local_size_y = 8) in;
layout(constant_id = 0) const int NEAR = 2; // 0: no near layer reaches these tiles, 1: it reaches them, 2: something is in front here
layout(constant_id = 1) const int RIMS = 1; // 0: nothing is brighter than white, 1: as light too, for the rims of lights
layout(constant_id = 2) const int SCALE = 2;
#include "lens.glsl"
#include "transfer.glsl"
#include "tile.glsl"
#include "colour.glsl"
#include "picture.glsl"
layout(binding = 1, rg32ui) readonly uniform uimageBuffer farBlur;
layout(binding = 2, rg32ui) readonly uniform uimageBuffer nearBlur;
layout(binding = 3, rg32ui) readonly uniform uimageBuffer coarseFill;
layout(binding = 4, rgba32ui) readonly uniform uimageBuffer pyramid; // light and its weight, far radius
layout(binding = 5) writeonly buffer Coded { uint64_t coded[]; };
layout(binding = 6) writeonly buffer Finished { uint64_t finished[]; };
#include "halves.glsl"
#include "quantize.glsl"

void main() {
    ivec2 q = tilePlace(ownTile()) * (TILE / 2) + ivec2(gl_LocalInvocationID.xy);
    if (2 * q.x >= lens.work.x || 2 * q.y >= lens.work.y) return;
    int place = halfPlace(q);
    vec4 far = firstFour(imageLoad(farBlur, place));
    vec3 light = far.rgb / max(far.a, 1e-4);
    if (NEAR == 1) {
        // Beside a silhouette: what is in focus here is seen through the near layer in the tile next to it.
        uvec4 words = imageLoad(pyramid, place);
        vec4 own = firstFour(words);
        float inverse = 1.0 / max(own.a, 1e-6);
        light = mix(own.rgb * inverse, light, far.a > 1e-4 ? blurred(secondFour(words).x * inverse * float(SCALE)) : 0.0);
    }
    if (NEAR == 2) {
        vec4 hidden = firstFour(imageLoad(coarseFill, place));
        light = mix(hidden.rgb, light, far.a > 1e-4 ? hidden.a : 0.0);
    }
    if (NEAR > 0) {
        vec4 near = firstFour(imageLoad(nearBlur, place));
        light = near.rgb + (1.0 - near.a) * light;
    }
    if (RIMS == 1) finished[place] = pack64ForStore(halves(vec4(light, 0.0)).xy);
    vec3 colour = encode(clipped(light));
    coded[place] = pack64ForStore(packedCodes(codesOfRGB(colour)));
}

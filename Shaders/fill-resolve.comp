#version 450
#extension GL_GOOGLE_include_directive : require
// In the near layer's reach: completes the far layer behind it, keeps the hidden scene, spreads the near radius.
layout(local_size_x = 16, local_size_y = 16) in;
layout(constant_id = 0) const int SCALE = 2;
#include "lens.glsl"
layout(binding = 0) readonly buffer Tiles { uint tiles[]; };
layout(binding = 1, rgba32f) readonly uniform image2D light;
layout(binding = 2, rgba32f) readonly uniform image2D radii;
layout(binding = 3, rgba32ui) uniform uimage2D farLayer;
layout(binding = 4, r32f) uniform image2D farRadius;
layout(binding = 5, rgba32ui) readonly uniform uimage2D nearLayer;
layout(binding = 6, r32f) uniform image2D nearRadius;
layout(binding = 7, rgba32f) writeonly uniform image2D fill;
#include "upsample.glsl"

void main() {
    uint tile = tiles[lens.firstTile + int(gl_WorkGroupID.x)];
    ivec2 p = ivec2(tile & 65535u, tile >> 16) * 16 + ivec2(gl_LocalInvocationID.xy);
    if (p.x >= lens.work.x || p.y >= lens.work.y) return;
    ivec2 q = p + ivec2(1, 0);
    float near = float(imageLoad(nearLayer, q).a) * (1.0 / ONE);
    vec4 shown, radius;
    UPSAMPLE(shown, light, p)
    UPSAMPLE(radius, radii, p)
    if (near == 0.0) {
        imageStore(nearRadius, p, vec4(radius.y / max(radius.z, 1e-6)));
        imageStore(fill, p, vec4(0.0));
        return;
    }
    float inverse = 1.0 / max(shown.a, 1e-6);
    vec3 colour = shown.rgb * inverse;
    float hiddenRadius = radius.x * inverse;
    float far = blurred(hiddenRadius * float(SCALE));
    imageStore(fill, p, vec4(colour, far));
    vec4 layer = vec4(imageLoad(farLayer, q)) * (1.0 / ONE);
    float own = imageLoad(farRadius, p).r;
    float share = near * far;
    float merged = (own * layer.a + hiddenRadius * share) / max(layer.a + share, 1e-6);
    imageStore(farLayer, q, uvec4(ivec4((layer + vec4(colour, 1.0) * share) * ONE + 0.5)));
    imageStore(farRadius, p, vec4(merged));
}

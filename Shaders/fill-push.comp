#version 450
#extension GL_GOOGLE_include_directive : require
// One step up of the fill: where a level knows little, the coarser level below it speaks.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba32f) readonly uniform image2D coarseLight;
layout(binding = 1, rgba32f) readonly uniform image2D coarseRadii;
layout(binding = 2, rgba32f) uniform image2D light;
layout(binding = 3, rgba32f) uniform image2D radii;
#include "upsample.glsl"

void main() {
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, imageSize(light)))) return;
    vec4 belowLight, belowRadii;
    UPSAMPLE(belowLight, coarseLight, p)
    UPSAMPLE(belowRadii, coarseRadii, p)
    vec4 shown = imageLoad(light, p);
    vec4 radius = imageLoad(radii, p);
    radius.x += (1.0 - shown.a) * belowRadii.x;
    radius.yz += (1.0 - radius.z) * belowRadii.yz;
    imageStore(light, p, shown + (1.0 - shown.a) * belowLight);
    imageStore(radii, p, radius);
}

#version 450
// One step down of the fill: sums of 2 x 2, weights no larger than one.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba32f) readonly uniform image2D fineLight;
layout(binding = 1, rgba32f) readonly uniform image2D fineRadii;
layout(binding = 2, rgba32f) writeonly uniform image2D light;
layout(binding = 3, rgba32f) writeonly uniform image2D radii;

vec4 shown, radius;

void add(ivec2 p, ivec2 size) {
    if (p.x >= size.x || p.y >= size.y) return;
    shown += imageLoad(fineLight, p);
    radius += imageLoad(fineRadii, p);
}

void main() {
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, imageSize(light)))) return;
    ivec2 size = imageSize(fineLight);
    shown = radius = vec4(0.0);
    add(2 * p, size);
    add(2 * p + ivec2(1, 0), size);
    add(2 * p + ivec2(0, 1), size);
    add(2 * p + ivec2(1, 1), size);
    float scale = 1.0 / max(shown.a, 1.0);
    radius.x *= scale;
    radius.yz *= 1.0 / max(radius.z, 1.0);
    imageStore(light, p, shown * scale);
    imageStore(radii, p, radius);
}

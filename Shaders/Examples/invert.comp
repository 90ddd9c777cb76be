#version 450
// Inverts the picture after the bokeh: `rackfocus render … --shader Shaders/Examples/invert.comp`. A start for filters of your own.
//
// One workgroup after another covers the picture, so any local size will do. Colours are red, green and blue as the picture encodes them
// (gamma and all), 0 to 1; what a filter leaves out of `result` is black, and what it writes outside of 0 to 1 is clamped.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba32f) readonly uniform image2D picture;
layout(binding = 1, rgba32f) writeonly uniform image2D result;
layout(push_constant) uniform Frame { int frame; }; // pictures filtered before this one; leave it out where nothing moves

void main() {
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, imageSize(picture)))) return;
    imageStore(result, p, vec4(1.0 - imageLoad(picture, p).rgb, 1.0));
}

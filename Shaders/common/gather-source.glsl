// Needs halves.glsl. Source of gather.comp, one texel for each of its many neighbours: light as halves, the disc's radius, one by it.
uvec4 source(vec4 light, float disc) { return uvec4(halves(light).xy, floatBitsToUint(disc), floatBitsToUint(1.0 / disc)); }

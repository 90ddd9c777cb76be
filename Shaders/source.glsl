// Needs halves.glsl. What gather.comp asks of each of its many neighbours, at hand in one texel: light as halves, the disc's radius, one by it.
uvec4 source(vec4 light, float disc) { return uvec4(halves(light).xy, floatBitsToUint(disc), floatBitsToUint(1.0 / disc)); }

// Needs transfer.glsl. Light of pixel `at` of a layer in fixed point. HLG and PQ code darkness finer than that: a pattern, which blur takes away again, keeps what rounding would lose.
uvec4 fixedPoint(vec4 light, ivec2 at) {
    if (TRANSFER == 0) return uvec4(ivec4(light * ONE + 0.5));
    float pattern = fract(52.9829189 * fract(dot(vec2(at), vec2(0.06711056, 0.00583715))));
    return uvec4(ivec4(vec4(light.rgb * ONE + pattern, light.a * ONE + 0.5)));
}

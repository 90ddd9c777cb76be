// Needs a buffer `disparity` and a texel buffer `fourDisparities` over the same memory: the disparities of four pixels at p (p.x a multiple of 4).
float disparityAt(int x, int y) { return disparity[y * lens.map.x + x]; }

float interpolated(ivec2 p) {
    ivec2 last = lens.map - 1;
    vec2 at = clamp((vec2(p) + 0.5) * lens.mapPerPixel - 0.5, vec2(0.0), vec2(last));
    ivec2 low = ivec2(at), high = min(low + 1, last);
    vec2 part = at - vec2(low);
    float top = mix(disparityAt(low.x, low.y), disparityAt(high.x, low.y), part.x);
    float bottom = mix(disparityAt(low.x, high.y), disparityAt(high.x, high.y), part.x);
    return mix(top, bottom, part.y);
}

vec4 disparityRow(ivec2 p) {
    if (DIRECT == 1) return imageLoad(fourDisparities, (p.y * lens.size.x + p.x) >> 2);
    return vec4(interpolated(p), interpolated(p + ivec2(1, 0)), interpolated(p + ivec2(2, 0)), interpolated(p + ivec2(3, 0)));
}

// Needs `picture`. How much of each of the four pixels at p a clipped light is taken to cover, from how many of the eight around it are as bright:
// at a light's rim, eight bits do not tell.
struct Six {
    float a, b, c, d, e, f;
};

Six brightness(ivec2 p) {
    ivec3 x = ivec3(max(p.x - 4, 0), p.x, min(p.x + 4, lens.size.x - 4));
    int y = clamp(p.y, 0, lens.size.y - 1);
    bool first = p.x == 0, last = x.z == p.x;
    if (FORMAT == 2) {
        uvec2 here = uvec2(imageLoad(picture, lumaWord(ivec2(x.y, y))).r, imageLoad(picture, lumaWord(ivec2(x.y, y)) + 1).r);
        uint left = imageLoad(picture, lumaWord(ivec2(x.x, y)) + 1).r, right = imageLoad(picture, lumaWord(ivec2(x.z, y))).r;
        vec4 four = vec4(tenBitsOf(here.x, 0), tenBitsOf(here.x, 1), tenBitsOf(here.y, 0), tenBitsOf(here.y, 1)) * LUMA_STEP;
        float before = first ? four.x : float(tenBitsOf(left, 1)) * LUMA_STEP, after = last ? four.w : float(tenBitsOf(right, 0)) * LUMA_STEP;
        return Six(before, four.x, four.y, four.z, four.w, after);
    }
    if (FORMAT == 0) {
        uint left = imageLoad(picture, lumaWord(ivec2(x.x, y))).r, here = imageLoad(picture, lumaWord(ivec2(x.y, y))).r;
        uint right = imageLoad(picture, lumaWord(ivec2(x.z, y))).r;
        vec4 four = vec4(byteOf(here, 0), byteOf(here, 1), byteOf(here, 2), byteOf(here, 3)) * LUMA_STEP;
        float before = float(byteOf(left, first ? 0 : 3)) * LUMA_STEP, after = float(byteOf(right, last ? 3 : 0)) * LUMA_STEP;
        return Six(before, four.x, four.y, four.z, four.w, after);
    }
    if (FORMAT == 3) {
        int at = wideWord(ivec2(p.x, y));
        vec4 four = (1.0 / 65535.0) *
            vec4(imageLoad(picture, at).r >> 16, imageLoad(picture, at + 2).r >> 16, imageLoad(picture, at + 4).r >> 16,
                 imageLoad(picture, at + 6).r >> 16);
        float before = float(imageLoad(picture, first ? at : at - 2).r >> 16) * (1.0 / 65535.0);
        float after = float(imageLoad(picture, last ? at + 6 : at + 8).r >> 16) * (1.0 / 65535.0);
        return Six(before, four.x, four.y, four.z, four.w, after);
    }
    int at = packedWord(ivec2(p.x, y));
    vec4 four = (1.0 / 255.0) *
        vec4(byteOf(imageLoad(picture, at).r, 1), byteOf(imageLoad(picture, at + 1).r, 1), byteOf(imageLoad(picture, at + 2).r, 1),
             byteOf(imageLoad(picture, at + 3).r, 1));
    float before = float(byteOf(imageLoad(picture, first ? at : at - 1).r, 1)) * (1.0 / 255.0);
    float after = float(byteOf(imageLoad(picture, last ? at + 3 : at + 4).r, 1)) * (1.0 / 255.0);
    return Six(before, four.x, four.y, four.z, four.w, after);
}

float coverageOf(float here, vec3 above, vec2 beside, vec3 below) {
    vec3 a = clamp((above - here) * 10.0 + 1.0, 0.0, 1.0), c = clamp((below - here) * 10.0 + 1.0, 0.0, 1.0);
    vec2 b = clamp((beside - here) * 10.0 + 1.0, 0.0, 1.0);
    float others = a.x + a.y + a.z + b.x + b.y + c.x + c.y + c.z;
    return clamp(1.0 - RIM_SLOPE * (8.0 - others), RIM_LEAST, 1.0);
}

vec4 coverageRow(ivec2 p) {
    Six up = brightness(p - ivec2(0, 1)), here = brightness(p), down = brightness(p + ivec2(0, 1));
    return vec4(
        coverageOf(here.b, vec3(up.a, up.b, up.c), vec2(here.a, here.c), vec3(down.a, down.b, down.c)),
        coverageOf(here.c, vec3(up.b, up.c, up.d), vec2(here.b, here.d), vec3(down.b, down.c, down.d)),
        coverageOf(here.d, vec3(up.c, up.d, up.e), vec2(here.c, here.e), vec3(down.c, down.d, down.e)),
        coverageOf(here.e, vec3(up.d, up.e, up.f), vec2(here.d, here.f), vec3(down.d, down.e, down.f)));
}

// Codes from values, rounded with an ordered pattern of a quarter of a code about the middle, so that smooth blur shows no bands.
// Four pixels of row y.
vec4 dither(int y) {
    vec4 row = (y & 1) == 0 ? ((y & 2) == 0 ? vec4(0.0, 8.0, 2.0, 10.0) : vec4(3.0, 11.0, 1.0, 9.0))
                            : ((y & 2) == 0 ? vec4(12.0, 4.0, 14.0, 6.0) : vec4(15.0, 7.0, 13.0, 5.0));
    return row * (0.5 / 16.0) + (0.5 - 7.5 * 0.5 / 16.0);
}

// Three codes in fixed point, as halves of two words.
const float PART = FORMAT == 3 ? 1.0 : FORMAT == 2 ? 1.0 / 64.0 : 1.0 / 256.0;
const float TOP_CODE = FORMAT == 3 ? 65535.0 : FORMAT == 2 ? 1023.0 : 255.0;

uvec2 packedCodes(vec3 values) {
    uvec3 fixed16 = uvec3(ivec3(clamp(values * (1.0 / PART) + 0.5, 0.0, 65535.0)));
    return uvec2(fixed16.x | fixed16.y << 16, fixed16.z);
}

vec3 unpackedCodes(uvec4 words) { return vec3(ivec3(words.x & 65535u, words.x >> 16, words.y)) * PART; }

uint codeOf(float value, float dither) { return uint(int(clamp(value + dither, 0.0, TOP_CODE))); }

uvec4 codesOf(vec4 values, vec4 dither) { return uvec4(ivec4(clamp(values + dither, 0.0, TOP_CODE))); }

uint fourBytes(vec4 values, vec4 dither) {
    uvec4 codes = codesOf(values, dither);
    return materialize(codes.x | codes.y << 8 | codes.z << 16 | codes.w << 24);
}

// Two words of two values of ten bits.
uvec2 fourTens(vec4 values, vec4 dither) {
    uvec4 codes = codesOf(values, dither) << 6;
    uvec2 words = codes.xz | codes.yw << 16;
    return uvec2(materialize(words.x), materialize(words.y));
}

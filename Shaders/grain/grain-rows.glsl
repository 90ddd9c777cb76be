// Reading, graining and storing of the result's samples in each pixel format; after the buffers of grain.comp.

ivec4 grained(ivec4 codes, vec4 noise) { return clamp(codes + ivec4(floor(noise + 0.5)), ivec4(0), ivec4(TOP)); }

uint joined(ivec4 bytes) { return uint(bytes.x) | uint(bytes.y) << 8 | uint(bytes.z) << 16 | uint(bytes.w) << 24; }
ivec4 split(uint word) { return ivec4(uvec4(byteOf(word, 0), byteOf(word, 1), byteOf(word, 2), word >> 24)); }

// Four samples at a word of the result, of luma or chroma.
ivec4 planarCodes(int word) {
    uint first = imageLoad(picture, word).r;
    if (FORMAT == 0) return split(first);
    uint second = imageLoad(picture, word + 1).r;
    return ivec4(uvec4(tenBitsOf(first, 0), tenBitsOf(first, 1), tenBitsOf(second, 0), tenBitsOf(second, 1)));
}

void storePlanar(int word, ivec4 codes) {
    if (FORMAT == 0) {
        result[word] = materialize(joined(codes));
        return;
    }
    uvec4 tens = uvec4(codes) << 6;
    result[word] = materialize(tens.x | tens.y << 16);
    result[word + 1] = materialize(tens.z | tens.w << 16);
}

float levelOf(ivec4 luma) { return (0.25 * float(luma.x + luma.y + luma.z + luma.w) - BLACK) * LUMA_STEP; }

void packedRow(ivec2 p, ivec2 in128, vec4 lost) {
    int at = packedWord(p), word = (in128.y * FIELD + in128.x) >> 2;
    vec4 b = noiseOf(imageLoad(grainField, word).r), g = noiseOf(imageLoad(grainField, WORDS + word).r),
         r = noiseOf(imageLoad(grainField, 2 * WORDS + word).r);
    uvec4 words = uvec4(imageLoad(picture, at).r, imageLoad(picture, at + 1).r, imageLoad(picture, at + 2).r, imageLoad(picture, at + 3).r);
    vec4 green = vec4(byteOf(words.x, 1), byteOf(words.y, 1), byteOf(words.z, 1), byteOf(words.w, 1));
    vec3 deviation = deviationAt(dot(green, vec4(0.25)) * (1.0 / 255.0));
    result[at] = materialize(joined(grained(split(words.x), vec4(deviation * vec3(b.x, g.x, r.x) * lost.x, 0.0))));
    result[at + 1] = materialize(joined(grained(split(words.y), vec4(deviation * vec3(b.y, g.y, r.y) * lost.y, 0.0))));
    result[at + 2] = materialize(joined(grained(split(words.z), vec4(deviation * vec3(b.z, g.z, r.z) * lost.z, 0.0))));
    result[at + 3] = materialize(joined(grained(split(words.w), vec4(deviation * vec3(b.w, g.w, r.w) * lost.w, 0.0))));
}

void widePixel(int word, vec3 noise) {
    uint first = imageLoad(picture, word).r, second = imageLoad(picture, word + 1).r;
    ivec4 codes = grained(ivec4(uvec4(first & 65535u, first >> 16, second & 65535u, second >> 16)), vec4(noise, 0.0));
    result[word] = materialize(uint(codes.x) | uint(codes.y) << 16);
    result[word + 1] = materialize(uint(codes.z) | uint(codes.w) << 16);
}

void wideRow(ivec2 p, ivec2 in128, vec4 lost) {
    int at = wideWord(p), word = (in128.y * FIELD + in128.x) >> 2;
    vec4 r = noiseOf(imageLoad(grainField, word).r), g = noiseOf(imageLoad(grainField, WORDS + word).r),
         b = noiseOf(imageLoad(grainField, 2 * WORDS + word).r);
    vec4 green = vec4(
        imageLoad(picture, at).r >> 16, imageLoad(picture, at + 2).r >> 16, imageLoad(picture, at + 4).r >> 16, imageLoad(picture, at + 6).r >> 16);
    vec3 deviation = deviationAt(dot(green, vec4(0.25)) * (1.0 / 65535.0));
    widePixel(at, deviation * vec3(r.x, g.x, b.x) * lost.x);
    widePixel(at + 2, deviation * vec3(r.y, g.y, b.y) * lost.y);
    widePixel(at + 4, deviation * vec3(r.z, g.z, b.z) * lost.z);
    widePixel(at + 6, deviation * vec3(r.w, g.w, b.w) * lost.w);
}

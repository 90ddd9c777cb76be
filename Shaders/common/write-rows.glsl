// Needs quantize.glsl, `picture` and a buffer `result` of words: two rows of four pixels at p (both even), touched pixels anew, the others as they were.
uint kept(uint old, uint fresh, bvec4 touched) {
    uint mask = (touched.x ? 255u : 0u) | (touched.y ? 255u << 8 : 0u) | (touched.z ? 255u << 16 : 0u) | (touched.w ? 255u << 24 : 0u);
    return materialize((old & ~mask) | (fresh & mask));
}

void writeLuma(ivec2 p, Row row, bvec4 touched) {
    vec4 luma = vec4(yCbCrOfRGB(row.a).x, yCbCrOfRGB(row.b).x, yCbCrOfRGB(row.c).x, yCbCrOfRGB(row.d).x);
    int word = lumaWord(p);
    if (FORMAT == 0) {
        result[word] = kept(row.words.x, fourBytes(luma, dither(p.y)), touched);
        return;
    }
    uvec2 new = fourTens(luma, dither(p.y));
    result[word] = kept(row.words.x, new.x, touched.xxyy);
    result[word + 1] = kept(row.words.y, new.y, touched.zzww);
}

void writeChroma(ivec2 p, vec3 left, vec3 right, uvec2 old, bvec4 touched) {
    vec4 chroma = vec4(yCbCrOfRGB(0.25 * left).yz, yCbCrOfRGB(0.25 * right).yz);
    int word = chromaWord(p);
    if (FORMAT == 0) {
        result[word] = kept(old.x, fourBytes(chroma, dither(p.y >> 1)), touched);
        return;
    }
    uvec2 new = fourTens(chroma, dither(p.y >> 1));
    result[word] = kept(old.x, new.x, touched.xxxx);
    result[word + 1] = kept(old.y, new.y, touched.zzzz);
}

uint packedOf(vec3 colour, uint old, bool touched, float dither) {
    uint word = codeOf(colour.b * 255.0, dither) | codeOf(colour.g * 255.0, dither) << 8 | codeOf(colour.r * 255.0, dither) << 16;
    return materialize(touched ? word | (old & 0xFF000000u) : old);
}

void writePacked(ivec2 p, Row row, bvec4 touched) {
    int at = packedWord(p);
    vec4 pattern = dither(p.y);
    result[at] = packedOf(row.a, row.words.x, touched.x, pattern.x);
    result[at + 1] = packedOf(row.b, row.words.y, touched.y, pattern.y);
    result[at + 2] = packedOf(row.c, row.words.z, touched.z, pattern.z);
    result[at + 3] = packedOf(row.d, row.words.w, touched.w, pattern.w);
}

// Untouched pixels are read again: four of them are too many words to have been kept.
void writeWidePixel(ivec2 p, vec3 colour, bool touched, float dither) {
    int at = wideWord(p);
    uint first = imageLoad(picture, at).r, second = imageLoad(picture, at + 1).r;
    uint fresh = codeOf(colour.r * 65535.0, dither) | codeOf(colour.g * 65535.0, dither) << 16;
    result[at] = materialize(touched ? fresh : first);
    result[at + 1] = materialize(touched ? codeOf(colour.b * 65535.0, dither) | (second & 0xFFFF0000u) : second);
}

void writeWide(ivec2 p, Row row, bvec4 touched) {
    vec4 pattern = dither(p.y);
    writeWidePixel(p, row.a, touched.x, pattern.x);
    writeWidePixel(p + ivec2(1, 0), row.b, touched.y, pattern.y);
    writeWidePixel(p + ivec2(2, 0), row.c, touched.z, pattern.z);
    writeWidePixel(p + ivec2(3, 0), row.d, touched.w, pattern.w);
}

void writeRows(ivec2 p, Row upper, Row lower, bvec4 upperTouched, bvec4 lowerTouched) {
    if (FORMAT == 3) {
        writeWide(p, upper, upperTouched);
        writeWide(p + ivec2(0, 1), lower, lowerTouched);
        return;
    }
    if (FORMAT == 1) {
        writePacked(p, upper, upperTouched);
        writePacked(p + ivec2(0, 1), lower, lowerTouched);
        return;
    }
    writeLuma(p, upper, upperTouched);
    writeLuma(p + ivec2(0, 1), lower, lowerTouched);
    bool left = any(upperTouched.xy) || any(lowerTouched.xy), right = any(upperTouched.zw) || any(lowerTouched.zw);
    writeChroma(p, upper.a + upper.b + lower.a + lower.b, upper.c + upper.d + lower.c + lower.d, upper.words.zw, bvec4(left, left, right, right));
}

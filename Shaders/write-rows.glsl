// Needs codes.glsl and a buffer `result` of words: two rows of four pixels at p (both even), touched pixels anew, the others as they were.
uint lumaOf(vec3 colour, uint word, int index, bool touched) {
    return (touched ? eightBits(yCbCrOfRGB(colour).x) : byteOf(word, index)) << (8 * index);
}

uint lumaRow(Row row, bvec4 touched) {
    return lumaOf(row.a, row.words.x, 0, touched.x) | lumaOf(row.b, row.words.x, 1, touched.y)
        | lumaOf(row.c, row.words.x, 2, touched.z) | lumaOf(row.d, row.words.x, 3, touched.w);
}

uint chromaOf(vec3 four, uint old, bool touched) {
    vec3 mean = yCbCrOfRGB(0.25 * four);
    return touched ? eightBits(mean.y) | eightBits(mean.z) << 8 : old & 65535u;
}

uint packedOf(vec3 colour, uint old, bool touched) {
    uint word = eightBits(colour.b * 255.0) | eightBits(colour.g * 255.0) << 8 | eightBits(colour.r * 255.0) << 16 | (old & 0xFF000000u);
    return touched ? word : old;
}

void packedRow(int at, Row row, bvec4 touched) {
    result[at] = packedOf(row.a, row.words.x, touched.x);
    result[at + 1] = packedOf(row.b, row.words.y, touched.y);
    result[at + 2] = packedOf(row.c, row.words.z, touched.z);
    result[at + 3] = packedOf(row.d, row.words.w, touched.w);
}

void writeRows(ivec2 p, Row upper, Row lower, bvec4 upperTouched, bvec4 lowerTouched) {
    if (FORMAT == 0) {
        result[lumaWord(p)] = lumaRow(upper, upperTouched);
        result[lumaWord(p + ivec2(0, 1))] = lumaRow(lower, lowerTouched);
        uint left = chromaOf(upper.a + upper.b + lower.a + lower.b, upper.words.y, any(upperTouched.xy) || any(lowerTouched.xy));
        uint right = chromaOf(upper.c + upper.d + lower.c + lower.d, upper.words.y >> 16, any(upperTouched.zw) || any(lowerTouched.zw));
        result[chromaWord(p)] = left | right << 16;
    } else {
        packedRow(packedWord(p), upper, upperTouched);
        packedRow(packedWord(p + ivec2(0, 1)), lower, lowerTouched);
    }
}

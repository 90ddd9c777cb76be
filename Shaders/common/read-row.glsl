// Needs a texel buffer `picture` of words (cheaper than a storage buffer on lavapipe): the row of four pixels at p (p.x a multiple of 4), as encoded colours.

// The words of chroma of that row, of which two rows have the same; one, or two of ten bits, or none.
uvec2 chromaOf(ivec2 p) {
    if (FORMAT == 0) return uvec2(imageLoad(picture, chromaWord(p)).r, 0u);
    if (FORMAT == 2) return uvec2(imageLoad(picture, chromaWord(p)).r, imageLoad(picture, chromaWord(p) + 1).r);
    return uvec2(0u);
}

Row readRow(ivec2 p, uvec2 chromaWords) {
    Row row;
    if (FORMAT == 0) {
        uint luma = imageLoad(picture, lumaWord(p)).r;
        uint chroma = chromaWords.x;
        row.words = uvec4(luma, 0u, chroma, 0u);
        row.a = rgbOfYCbCr(byteOf(luma, 0), byteOf(chroma, 0), byteOf(chroma, 1));
        row.b = rgbOfYCbCr(byteOf(luma, 1), byteOf(chroma, 0), byteOf(chroma, 1));
        row.c = rgbOfYCbCr(byteOf(luma, 2), byteOf(chroma, 2), byteOf(chroma, 3));
        row.d = rgbOfYCbCr(byteOf(luma, 3), byteOf(chroma, 2), byteOf(chroma, 3));
    } else if (FORMAT == 2) {
        int luma = lumaWord(p);
        row.words = uvec4(imageLoad(picture, luma).r, imageLoad(picture, luma + 1).r, chromaWords);
        row.a = rgbOfYCbCr(tenBitsOf(row.words.x, 0), tenBitsOf(row.words.z, 0), tenBitsOf(row.words.z, 1));
        row.b = rgbOfYCbCr(tenBitsOf(row.words.x, 1), tenBitsOf(row.words.z, 0), tenBitsOf(row.words.z, 1));
        row.c = rgbOfYCbCr(tenBitsOf(row.words.y, 0), tenBitsOf(row.words.w, 0), tenBitsOf(row.words.w, 1));
        row.d = rgbOfYCbCr(tenBitsOf(row.words.y, 1), tenBitsOf(row.words.w, 0), tenBitsOf(row.words.w, 1));
    } else if (FORMAT == 3) {
        int at = wideWord(p);
        row.words = uvec4(0u);
        row.a = rgbOfWide(uvec2(imageLoad(picture, at).r, imageLoad(picture, at + 1).r));
        row.b = rgbOfWide(uvec2(imageLoad(picture, at + 2).r, imageLoad(picture, at + 3).r));
        row.c = rgbOfWide(uvec2(imageLoad(picture, at + 4).r, imageLoad(picture, at + 5).r));
        row.d = rgbOfWide(uvec2(imageLoad(picture, at + 6).r, imageLoad(picture, at + 7).r));
    } else {
        int at = packedWord(p);
        row.words = uvec4(imageLoad(picture, at).r, imageLoad(picture, at + 1).r, imageLoad(picture, at + 2).r, imageLoad(picture, at + 3).r);
        row.a = rgbOfBGRA(row.words.x);
        row.b = rgbOfBGRA(row.words.y);
        row.c = rgbOfBGRA(row.words.z);
        row.d = rgbOfBGRA(row.words.w);
    }
    return row;
}

Row readRow(ivec2 p) { return readRow(p, chromaOf(p)); }

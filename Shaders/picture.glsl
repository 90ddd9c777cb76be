// Four pixels of a picture at once. FORMAT 0: luma and chroma plane, BT.709 video range; 1: blue, green, red, alpha.
// Rows are lens.size.x bytes (FORMAT 0, the chroma plane after the luma plane) or words (FORMAT 1) long.
struct Row { uvec4 words; vec3 a, b, c, d; };

uint byteOf(uint word, int index) { return word >> (8 * index) & 255u; }

int lumaWord(ivec2 p) { return p.y * (lens.size.x >> 2) + (p.x >> 2); }
int chromaWord(ivec2 p) { return (lens.size.y + (p.y >> 1)) * (lens.size.x >> 2) + (p.x >> 2); }
int packedWord(ivec2 p) { return p.y * lens.size.x + p.x; }

vec3 rgbOfYCbCr(uint luma, uint cb, uint cr) {
    float y = (float(int(luma)) - 16.0) * (1.0 / 219.0);
    vec2 chroma = (vec2(ivec2(cb, cr)) - 128.0) * (1.0 / 224.0);
    return clamp(vec3(y + 1.5748 * chroma.y, y - 0.1873 * chroma.x - 0.4681 * chroma.y, y + 1.8556 * chroma.x), 0.0, 1.0);
}

vec3 rgbOfBGRA(uint word) {
    return vec3(ivec3(byteOf(word, 2), byteOf(word, 1), byteOf(word, 0))) * (1.0 / 255.0);
}

vec3 yCbCrOfRGB(vec3 c) {
    float y = dot(c, vec3(0.2126, 0.7152, 0.0722));
    return vec3(y * 219.0 + 16.0, (c.b - y) * (224.0 / 1.8556) + 128.0, (c.r - y) * (224.0 / 1.5748) + 128.0);
}

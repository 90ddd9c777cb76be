// Needs transfer.glsl. Four pixels of a picture at once.
// Rows begin lens.stride samples, or words (FORMAT 1 and 3), apart.
struct Row {
    uvec4 words; // luma and chroma, two each of ten bits, or one for each pixel
    vec3 a, b, c, d;
};

uint byteOf(uint word, int index) { return word >> (8 * index) & 255u; }
uint tenBitsOf(uint word, int index) { return word >> (16 * index + 6) & 1023u; }

int lumaWord(ivec2 p) { return (p.y * lens.stride + p.x) >> (FORMAT == 2 ? 1 : 2); }
int chromaWord(ivec2 p) { return (lens.chroma + (p.y >> 1) * lens.stride + p.x) >> (FORMAT == 2 ? 1 : 2); }
int packedWord(ivec2 p) { return p.y * lens.stride + p.x; }
int wideWord(ivec2 p) { return p.y * lens.stride + 2 * p.x; } // red and green; blue and alpha follow

// Differences from luma that chroma makes, in red, green and blue.
vec3 offsetOf(vec2 chroma) {
    float r = 2.0 * (1.0 - RED) * chroma.y, b = 2.0 * (1.0 - BLUE) * chroma.x;
    return vec3(r, (-BLUE * b - RED * r) * (1.0 / (1.0 - RED - BLUE)), b);
}

vec3 rgbOfYCbCr(uint luma, uint cb, uint cr) {
    float y = (float(int(luma)) - BLACK) * LUMA_STEP;
    return clamp(y + offsetOf((vec2(ivec2(cb, cr)) - GREY) * CHROMA_STEP), 0.0, 1.0);
}

vec3 rgbOfBGRA(uint word) { return vec3(ivec3(byteOf(word, 2), byteOf(word, 1), byteOf(word, 0))) * (1.0 / 255.0); }

vec3 rgbOfWide(uvec2 words) { return vec3(ivec3(words.x & 65535u, words.x >> 16, words.y & 65535u)) * (1.0 / 65535.0); }

vec3 yCbCrOfRGB(vec3 c) {
    float y = dot(c, vec3(RED, 1.0 - RED - BLUE, BLUE));
    vec2 chroma = vec2(c.b - y, c.r - y) * vec2(0.5 / (1.0 - BLUE), 0.5 / (1.0 - RED));
    return vec3(y / LUMA_STEP + BLACK, chroma / CHROMA_STEP + GREY);
}

// A colour in the picture's own codes, not rounded.
vec3 codesOfRGB(vec3 c) { return FORMAT == 1 ? c * 255.0 : FORMAT == 3 ? c * 65535.0 : yCbCrOfRGB(c); }

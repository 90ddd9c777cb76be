// Needs colour.glsl, picture.glsl, read-row.glsl and `peak`, which becomes the brightest code. Mean light of blocks of pixels.

vec4 lumaOf(ivec2 p) {
    uint word = imageLoad(picture, lumaWord(p)).r;
    return (vec4(uvec4(byteOf(word, 0), byteOf(word, 1), byteOf(word, 2), word >> 24)) - BLACK) * LUMA_STEP;
}

// Of the left and the right two in a row.
vec4 chromasOf(ivec2 p) {
    uint word = imageLoad(picture, chromaWord(p)).r;
    return (vec4(uvec4(byteOf(word, 0), byteOf(word, 1), byteOf(word, 2), word >> 24)) - GREY) * CHROMA_STEP;
}

float largest(vec4 four) { return max(max(four.x, four.y), max(four.z, four.w)); }

// Mean light of four pixels of one chroma.
vec3 meanOf(vec4 luma, vec2 chroma) {
    const vec4 share = vec4(0.25);
    float mean = dot(luma, share);
    vec4 apart = luma - mean, squares = apart * apart;
    vec3 offset = offsetOf(chroma);
    peak = max(peak, largest(luma) + max(max(offset.x, offset.y), offset.z));
    return decodedMean(clamp(mean + offset, 0.0, 1.0), vec3(dot(squares, share)), 0.25 * dot(squares, apart), 0.25 * dot(squares, squares));
}

// Mean light of 4 x 4 pixels, of which each 2 x 2 have one chroma; it counts for the variance alone.
vec3 meanOfSixteen(ivec2 p) {
    vec4 a = lumaOf(p), b = lumaOf(p + ivec2(0, 1)), c = lumaOf(p + ivec2(0, 2)), d = lumaOf(p + ivec2(0, 3));
    vec4 upper = chromasOf(p), lower = chromasOf(p + ivec2(0, 2));
    vec4 ab = a + b, cd = c + d;
    float mean = dot(ab + cd, vec4(1.0 / 16.0));
    vec4 luma = 0.25 * (vec4(ab.xz, cd.xz) + vec4(ab.yw, cd.yw)) - mean; // of each 2 x 2
    vec4 cb = vec4(upper.xz, lower.xz), cr = vec4(upper.yw, lower.yw);
    vec2 chroma = 0.25 * vec2(dot(cb, vec4(1.0)), dot(cr, vec4(1.0)));
    vec3 offset = offsetOf(chroma);
    vec4 red = 2.0 * (1.0 - RED) * (cr - chroma.y), blue = 2.0 * (1.0 - BLUE) * (cb - chroma.x);
    vec4 green = (BLUE * blue + RED * red) * (-1.0 / (1.0 - RED - BLUE));
    vec3 covariances = 0.25 * vec3(dot(red, red + 2.0 * luma), dot(green, green + 2.0 * luma), dot(blue, blue + 2.0 * luma));
    peak = max(peak, largest(max(max(a, b), max(c, d))) + max(max(offset.x + largest(red), offset.y + largest(green)), offset.z + largest(blue)));
    a -= mean;
    b -= mean;
    c -= mean;
    d -= mean;
    vec4 e = a * a, f = b * b, g = c * c, h = d * d;
    const vec4 share = vec4(1.0 / 16.0);
    return decodedMean(
        clamp(mean + offset, 0.0, 1.0), dot(e + f + g + h, share) + covariances, dot(a * e + b * f + c * g + d * h, share),
        dot(e * e + f * f + g * g + h * h, share));
}

void planarPair(ivec2 p, out vec3 left, out vec3 right) {
    vec4 upper = lumaOf(p), lower = lumaOf(p + ivec2(0, 1)), chroma = chromasOf(p);
    left = meanOf(vec4(upper.xy, lower.xy), chroma.xy);
    right = meanOf(vec4(upper.zw, lower.zw), chroma.zw);
}

vec3 lightOf(vec3 encoded) {
    peak = max(peak, max(max(encoded.r, encoded.g), encoded.b));
    return decode(encoded);
}

// Mean light of the left and the right 2 x 2 of the 4 x 2 pixels at p.
void twoMeans(ivec2 p, out vec3 left, out vec3 right) {
    if (FORMAT == 0 && TRANSFER == 0) {
        planarPair(p, left, right);
        return;
    }
    Row upper = readRow(p), lower = readRow(p + ivec2(0, 1));
    left = 0.25 * (lightOf(upper.a) + lightOf(upper.b) + lightOf(lower.a) + lightOf(lower.b));
    right = 0.25 * (lightOf(upper.c) + lightOf(upper.d) + lightOf(lower.c) + lightOf(lower.d));
}

// Mean light of the 4 x 4 pixels at p.
vec3 meanOfBlock(ivec2 p) {
    if (FORMAT == 0 && TRANSFER == 0) return meanOfSixteen(p);
    vec3 a, b, c, d;
    twoMeans(p, a, b);
    twoMeans(p + ivec2(0, 2), c, d);
    return 0.25 * (a + b + c + d);
}

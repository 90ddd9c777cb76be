#version 450
#extension GL_GOOGLE_include_directive : require
// The setup of tiles that are out of focus everywhere, with nothing in front. One thread makes 2 x 2 layer pixels.
layout(local_size_x = 8, local_size_y = 8) in;
layout(constant_id = 0) const int SCALE = 2;
layout(constant_id = 1) const int DIRECT = 1; // the disparity map has the picture's size
layout(constant_id = 2) const int FILL = 0;   // 1: the near layer reaches here or beside, so the fill starts here too
layout(constant_id = 3) const int LIGHTS = 0; // 1: tiles with highlights are listed, for the other setup
layout(constant_id = 4) const int FINE = 0;   // 1: discs may be drawn at layer size, so layer pixels have radii and those of the picture marks
#include "lens.glsl"
#include "transfer.glsl"
#include "tile.glsl"
#include "colour.glsl"
#include "picture.glsl"
layout(binding = 1, r32ui) readonly uniform uimageBuffer picture;
layout(binding = 2, rgba32f) readonly uniform imageBuffer disparity;
layout(binding = 3) writeonly buffer FarLayer { u64vec2 farLayer[]; };
layout(binding = 4) writeonly buffer FarCoarseRadius { float farCoarseRadius[]; };
layout(binding = 5) writeonly buffer Pyramid { u64vec2 pyramid[]; };
layout(binding = 6) writeonly buffer Marks { u64vec2 marks[]; };
layout(binding = 7) buffer HighlightTiles { uint highlightTiles[]; };
layout(binding = 8, r32f) readonly uniform imageBuffer lightWeights;    // of 2 x 2 layer pixels
layout(binding = 9) writeonly buffer FarRadii { uint64_t farRadii[]; }; // of 2 x 2 layer pixels
#include "halves.glsl"
#include "read-row.glsl"
const int BEHIND = 1;
#include "disparity.glsl"
#include "highlight-tiles.glsl"

float peak = 0.0;
vec4 disparities; // means of the four layer pixels
vec3 shown = vec3(0.0);

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

// Mean disparities of two layer pixels, of 2 x 2 pixels each; of 4 x 4 one row in four.
vec2 meanDisparities(ivec2 p) {
    if (SCALE == 4) return 0.25 * vec2(dot(disparityRow(p + ivec2(0, 2)), vec4(1.0)), dot(disparityRow(p + ivec2(4, 2)), vec4(1.0)));
    vec4 sums = disparityRow(p) + disparityRow(p + ivec2(0, 1));
    return 0.25 * (sums.xz + sums.yw);
}

void pair(ivec2 at, int row) {
    vec3 left, right;
    ivec2 p = at * SCALE;
    if (SCALE == 2) twoMeans(p, left, right);
    else {
        left = meanOfBlock(p);
        right = meanOfBlock(p + ivec2(4, 0));
    }
    if (row == 0) disparities.xy = meanDisparities(p);
    else disparities.zw = meanDisparities(p);
    farLayer[halfPlace(ivec2(at.x >> 1, at.y))] = pack64ForStore(halves(vec4(left, 1.0), vec4(right, 1.0)));
    shown += 0.25 * (left + right);
}

void main() {
    uint tile = ownTile();
    ivec2 quad = tilePlace(tile) * (TILE / 2) + ivec2(gl_LocalInvocationID.xy);
    if (2 * quad.x >= lens.work.x || 2 * quad.y >= lens.work.y) return;
    pair(2 * quad, 0);
    pair(2 * quad + ivec2(0, 1), 1);
    float mean = dot(disparities, vec4(0.25));
    float radius = clamp((lens.focus - mean) * lens.radiusPerDisparity, 0.0, lens.maxRadius);
    farCoarseRadius[halfPlace(quad)] = materialize(radius * (1.0 / float(SCALE)));
    float isolation = LIGHTS == 1 ? imageLoad(lightWeights, halfPlace(quad)).r : 0.0;
    if (LIGHTS == 1 && isolation > 0.0 && decode(vec3(min(peak, 1.0))).x > lens.knee) appendHighlightTile(tile, SETUP_LISTS + kindOf(FILL), BY_SETUP);
    if (FINE == 1) {
        vec4 four = clamp((lens.focus - disparities) * lens.radiusPerDisparity, 0.0, lens.maxRadius);
        farRadii[halfPlace(quad)] = pack64ForStore(halves(four * (1.0 / float(SCALE))).xy);
    }
    if (FILL == 0 && FINE == 0) return;
    for (int block = 0; block < (SCALE / 2) * (SCALE / 2); block++) {
        marks[markPlace(quad * (SCALE / 2) + ivec2(block & 1, block >> 1))] = pack64ForStore(uvec4(0x81818181u));
    }
    if (FILL == 0) return;
    pyramid[halfPlace(quad)] = pack64ForStore(halves(vec4(shown, 1.0), vec4(radius * (1.0 / float(SCALE)), 0.0, 0.0, 0.0)));
}

#version 450
#extension GL_GOOGLE_include_directive : require
// Upsampling of finished coarse pixels to full size, for tiles blurred all over, in the picture's own codes. One thread makes 4 x 4 pixels.
// Beside the rim of a light's disc, codes differ much: light is interpolated there, by a cubic.
layout(local_size_x = 8, local_size_y = 8) in;
layout(constant_id = 0) const int SCALE = 2;
layout(constant_id = 1) const int RIMS = 0; // 1: parts of tiles where codes differ much are listed, 2: the listed parts, light a cubic there
#include "lens.glsl"
#include "transfer.glsl"
#include "tile.glsl"
#include "colour.glsl"
#include "picture.glsl"
layout(binding = 1, r32ui) readonly uniform uimageBuffer picture; // for alpha
layout(binding = 2) writeonly buffer Result { uint result[]; };
layout(binding = 3, rg32ui) readonly uniform uimageBuffer coded;
layout(binding = 4, rg32ui) readonly uniform uimageBuffer finished; // the same as light
layout(binding = 5) buffer HighlightTiles { uint highlightTiles[]; };
#include "halves.glsl"
#include "quantize.glsl"
#include "highlight-tiles.glsl"
#include "cubic.glsl"

const int SIDE = 2 * SCALE; // of a coarse pixel
ivec2 first, last;
vec2 part;

struct Line {
    vec3 a, b, c, d;
};

vec3 at(int x, int y) { return unpackedCodes(imageLoad(coded, halfPlace(clamp(first + ivec2(x, y), ivec2(0), last)))); }

// Of three values in a row, the first two or the last two weighed for pixel `index` of four.
vec3 between(vec3 a, vec3 b, vec3 c, int index, float part) {
    if (SCALE == 4) return mix(a, b, part + 0.125 * float(index));
    return index < 2 ? mix(a, b, 0.625 + 0.25 * float(index)) : mix(b, c, 0.25 * float(index) - 0.375);
}

Line line(Line above, Line here, Line below, int index) {
    vec3 a = between(above.a, here.a, below.a, index, part.y), b = between(above.b, here.b, below.b, index, part.y);
    vec3 c = SCALE == 4 ? b : between(above.c, here.c, below.c, index, part.y);
    return Line(between(a, b, c, 0, part.x), between(a, b, c, 1, part.x), between(a, b, c, 2, part.x), between(a, b, c, 3, part.x));
}

#include "steep-lines.glsl"

Line load(int y) { return Line(at(0, y), at(1, y), SCALE == 4 ? vec3(0.0) : at(2, y), vec3(0.0)); }

void writeWide(int word, vec3 codes, float dither) {
    result[word] = materialize(codeOf(codes.r, dither) | codeOf(codes.g, dither) << 16);
    result[word + 1] = materialize(codeOf(codes.b, dither) | (imageLoad(picture, word + 1).r & 0xFFFF0000u));
}

void write(ivec2 p, Line upper, Line lower) {
    vec4 pattern = dither(p.y), below = dither(p.y + 1);
    if (FORMAT == 3) {
        for (int y = 0; y < 2; y++) {
            int word = wideWord(p + ivec2(0, y));
            Line row = y == 0 ? upper : lower;
            vec4 d = y == 0 ? pattern : below;
            writeWide(word, row.a, d.x);
            writeWide(word + 2, row.b, d.y);
            writeWide(word + 4, row.c, d.z);
            writeWide(word + 6, row.d, d.w);
        }
        return;
    }
    if (FORMAT == 1) {
        for (int y = 0; y < 2; y++) {
            int word = packedWord(p + ivec2(0, y));
            Line row = y == 0 ? upper : lower;
            vec4 d = y == 0 ? pattern : below;
            result[word] = fourBytes(vec4(row.a.bgr, float(imageLoad(picture, word).r >> 24)), vec4(d.xxx, 0.5));
            result[word + 1] = fourBytes(vec4(row.b.bgr, float(imageLoad(picture, word + 1).r >> 24)), vec4(d.yyy, 0.5));
            result[word + 2] = fourBytes(vec4(row.c.bgr, float(imageLoad(picture, word + 2).r >> 24)), vec4(d.zzz, 0.5));
            result[word + 3] = fourBytes(vec4(row.d.bgr, float(imageLoad(picture, word + 3).r >> 24)), vec4(d.www, 0.5));
        }
        return;
    }
    vec4 first = vec4(upper.a.x, upper.b.x, upper.c.x, upper.d.x), second = vec4(lower.a.x, lower.b.x, lower.c.x, lower.d.x);
    vec4 chroma = 0.25 * vec4((upper.a + upper.b + lower.a + lower.b).yz, (upper.c + upper.d + lower.c + lower.d).yz);
    int word = lumaWord(p), next = lumaWord(p + ivec2(0, 1)), colour = chromaWord(p);
    if (FORMAT == 0) {
        result[word] = fourBytes(first, pattern);
        result[next] = fourBytes(second, below);
        result[colour] = fourBytes(chroma, dither(p.y >> 1));
        return;
    }
    uvec2 words = fourTens(first, pattern), nextWords = fourTens(second, below), colourWords = fourTens(chroma, dither(p.y >> 1));
    result[word] = words.x;
    result[word + 1] = words.y;
    result[next] = nextWords.x;
    result[next + 1] = nextWords.y;
    result[colour] = colourWords.x;
    result[colour + 1] = colourWords.y;
}

void main() {
    uint tile = RIMS == 2 ? ownHighlightTile(UNIFORM_LIST) : ownTile();
    const int across = SCALE / 2;
    int index = RIMS == 2 ? int(tile >> 16) : int(gl_WorkGroupID.y);
    ivec2 p = tilePlace(tile) * (TILE * SCALE) + ivec2(index % across, index / across) * 32 + ivec2(gl_LocalInvocationID.xy) * 4;
    if (p.x >= lens.size.x || p.y >= lens.size.y) return;
    vec2 place = (vec2(p) + 0.5) * (1.0 / float(SIDE)) - 0.5;
    first = ivec2(floor(place));
    last = lens.work / 2 - 1;
    part = place - floor(place);
    Line above = load(0), here = load(1), below = here;
    if (SCALE == 2) below = load(2);
    float steep = RIMS > 0 ? steepness(above, here, below) : 0.0;
    if (RIMS == 1 && steep > 0.0) appendHighlightPart(tile, index, UNIFORM_LIST);
    for (int y = 0; y < 4; y += 2) {
        Line upper = line(above, here, below, y), lower = line(above, here, below, y + 1);
        if (RIMS == 2) {
            upper = blend(upper, steepLine(y), steep);
            lower = blend(lower, steepLine(y + 1), steep);
        }
        write(p + ivec2(0, y), upper, lower);
    }
}

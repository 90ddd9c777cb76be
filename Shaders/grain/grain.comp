#version 450
#extension GL_GOOGLE_include_directive : require
// Gives the source's noise back to what was blurred, in the finished picture. One thread makes 4 x 2 pixels.
layout(local_size_x = 8, local_size_y = 16) in;
layout(constant_id = 0) const int SCALE = 2;
layout(constant_id = 1) const int NEAR = 0; // 0: no near layer reaches these tiles, 1: it reaches them, 2: something is in front here
layout(constant_id = 2) const int ALL = 0;  // 1: everything in these tiles is blurred
#include "lens.glsl"
#include "transfer.glsl"
#include "tile.glsl"
#include "picture.glsl"
#include "halves.glsl"
layout(binding = 1, r32ui) readonly uniform uimageBuffer picture; // the result itself
layout(binding = 2) writeonly buffer Result { uint result[]; };
layout(binding = 3, rgba32ui) readonly uniform uimageBuffer marks; // of 4 x 4 pixels, a word a row
layout(binding = 4, rg32ui) readonly uniform uimageBuffer nearBlur;
layout(binding = 5, rgba32f) readonly uniform imageBuffer grainLevels; // standard deviations of the three channels at each level, codes
layout(binding = 6, r32ui) readonly uniform uimageBuffer grainField;   // GrainField: four values a word
const int LEVELS = 16, FIELD = 128, BLOCK = 32, WORDS = FIELD * FIELD / 4;
const float STEPS = 32.0;
const int TOP = FORMAT == 3 ? 65535 : FORMAT == 2 ? 1023 : 255;

// Displacement of a block in the field, as GrainField.place.
ivec2 placeOf(ivec2 block) {
    uint hash = lens.grainSeed + uint(block.x) * 0x9E3779B1u + uint(block.y) * 0x85EBCA77u;
    hash = (hash ^ hash >> 15) * 0x2C1B3C6Du;
    hash = (hash ^ hash >> 12) * 0x297A2D39u;
    hash ^= hash >> 15;
    return ivec2(int(hash & 31u) * 4, int(hash >> 8 & 126u));
}

vec4 noiseOf(uint word) {
    ivec4 bytes = ivec4(int(word << 24), int(word << 16), int(word << 8), int(word)) >> 24;
    return vec4(bytes) * (1.0 / STEPS);
}

// Share of a pixel's noise that the blur has taken, from how much of its light is its own still.
float lost(uint mark, int index, float near) {
    if (ALL == 1) return 1.0;
    float level = float(int(byteOf(mark, index) << 24) >> 24) * (1.0 / 127.0);
    float own = 1.0 - max(-level, 0.0);
    if (NEAR == 2) own *= 1.0 - clamp((max(level, 0.0) - near) / max(1.0 - near, 1e-3), 0.0, 1.0);
    own *= 1.0 - near;
    return sqrt(max(1.0 - own * own, 0.0));
}

vec4 lostRow(ivec2 p) {
    uvec4 rows = imageLoad(marks, markPlace(p >> 2));
    uint mark = (p.y & 2) == 0 ? ((p.y & 1) == 0 ? rows.x : rows.y) : ((p.y & 1) == 0 ? rows.z : rows.w);
    vec2 near = vec2(0.0);
    if (NEAR > 0) {
        ivec2 q = p / SCALE;
        near.x = firstFour(uvec4(imageLoad(nearBlur, pixelPlace(q)).rg, 0u, 0u)).a;
        near.y = SCALE == 2 ? firstFour(uvec4(imageLoad(nearBlur, pixelPlace(min(q + ivec2(1, 0), lens.work - 1))).rg, 0u, 0u)).a : near.x;
    }
    return vec4(lost(mark, 0, near.x), lost(mark, 1, near.x), lost(mark, 2, near.y), lost(mark, 3, near.y));
}

vec3 deviationAt(float share) {
    float at = clamp(share, 0.0, 1.0) * float(LEVELS - 1);
    int low = min(int(at), LEVELS - 2);
    return mix(imageLoad(grainLevels, low).rgb, imageLoad(grainLevels, low + 1).rgb, at - float(low));
}

#include "grain-rows.glsl"

void main() {
    const int across = SCALE / 2;
    ivec2 part = ivec2(int(gl_WorkGroupID.y) % across, int(gl_WorkGroupID.y) / across) * 32;
    ivec2 p = tilePlace(ownTile()) * (TILE * SCALE) + part + ivec2(gl_LocalInvocationID.xy) * ivec2(4, 2);
    if (p.x >= lens.size.x || p.y >= lens.size.y) return;
    ivec2 place = placeOf(p / BLOCK), at = (p + place) & (FIELD - 1);
    vec4 upper = lostRow(p), lower = lostRow(p + ivec2(0, 1));
    if (FORMAT == 3) {
        wideRow(p, at, upper);
        wideRow(p + ivec2(0, 1), (p + ivec2(0, 1) + place) & (FIELD - 1), lower);
        return;
    }
    if (FORMAT == 1) {
        packedRow(p, at, upper);
        packedRow(p + ivec2(0, 1), (p + ivec2(0, 1) + place) & (FIELD - 1), lower);
        return;
    }
    int high = lumaWord(p), low = lumaWord(p + ivec2(0, 1)), colour = chromaWord(p);
    ivec4 above = planarCodes(high), below = planarCodes(low), chroma = planarCodes(colour);
    int word = (at.y * FIELD + at.x) >> 2;
    vec3 first = deviationAt(levelOf(above)), second = deviationAt(levelOf(below));
    storePlanar(high, grained(above, noiseOf(imageLoad(grainField, word).r) * first.x * upper));
    storePlanar(low, grained(below, noiseOf(imageLoad(grainField, word + FIELD / 4).r) * second.x * lower));
    vec4 both = 0.5 * (upper + lower);
    vec2 mean = 0.5 * vec2(both.x + both.y, both.z + both.w), deviation = 0.5 * (first.yz + second.yz);
    int chromaAt = WORDS + (((at.y >> 1) * (FIELD / 2) + (at.x >> 1)) >> 1);
    storePlanar(colour, grained(chroma, noiseOf(imageLoad(grainField, chromaAt).r) * vec4(deviation * mean.x, deviation * mean.y)));
}

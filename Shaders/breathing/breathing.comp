#version 450
#extension GL_GOOGLE_include_directive : require
// Enlarges the finished picture about its middle: first a copy of it (COPY), then cubic interpolation of that. One thread makes 4 x 2 pixels.
layout(local_size_x = 8, local_size_y = 16) in;
layout(constant_id = 0) const int SCALE = 2;
layout(constant_id = 1) const int COPY = 0;
#include "lens.glsl"
#include "transfer.glsl"
#include "tile.glsl"
#include "picture.glsl"
#include "cubic.glsl"
layout(binding = 1, r32ui) readonly uniform uimageBuffer picture; // what is copied, or the copy
layout(binding = 2) writeonly buffer Result { uint result[]; };
const int TOP = FORMAT == 3 ? 65535 : FORMAT == 2 ? 1023 : 255;
const bool PLANAR = FORMAT == 0 || FORMAT == 2;

// Words of the copy: rows without padding, as many as a row of the picture has, chroma behind luma.
int rowWords() { return FORMAT == 0 ? lens.size.x >> 2 : FORMAT == 1 ? lens.size.x : FORMAT == 2 ? lens.size.x >> 1 : 2 * lens.size.x; }
int copiedRow(int plane, int y) { return (plane * lens.size.y + y) * rowWords(); }

void copyRow(int from, int to, int words) {
    for (int word = 0; word < words; word++)
        result[to + word] = materialize(imageLoad(picture, from + word).r);
}

void copyRows(ivec2 p) {
    const int words = FORMAT == 0 ? 1 : FORMAT == 1 ? 4 : FORMAT == 2 ? 2 : 8;
    int at = p.x / 4 * words;
    for (int y = 0; y < 2; y++)
        copyRow(
            FORMAT == 1       ? packedWord(p + ivec2(0, y))
                : FORMAT == 3 ? wideWord(p + ivec2(0, y))
                              : lumaWord(p + ivec2(0, y)),
            copiedRow(0, p.y + y) + at, words);
    if (PLANAR) copyRow(chromaWord(p), copiedRow(1, p.y >> 1) + at, words);
}

// Code of a channel at a place of its plane: of luma, of blue or red difference (channels 1, 2), or of a packed pixel's bytes.
float codeAt(int channel, ivec2 p) {
    int column = !PLANAR || channel == 0 ? p.x : 2 * p.x + channel - 1;
    int row = copiedRow(PLANAR && channel > 0 ? 1 : 0, p.y);
    if (FORMAT == 0) return float(byteOf(imageLoad(picture, row + (column >> 2)).r, column & 3));
    if (FORMAT == 2) return float(tenBitsOf(imageLoad(picture, row + (column >> 1)).r, column & 1));
    if (FORMAT == 3) {
        uint word = imageLoad(picture, row + 2 * p.x + (channel >> 1)).r;
        return float((channel & 1) == 0 ? word & 65535u : word >> 16);
    }
    return float(byteOf(imageLoad(picture, row + p.x).r, channel));
}

// `size` is the plane's; the result is rounded.
uint enlarged(int channel, ivec2 p, vec2 size) {
    vec2 at = (vec2(p) + 0.5 - 0.5 * size) * (1.0 / lens.magnification) + 0.5 * size - 0.5;
    ivec2 first = ivec2(floor(at)), last = ivec2(size) - 1;
    vec4 across = cubic(at.x - float(first.x)), down = cubic(at.y - float(first.y));
    float sum = 0.0;
    for (int y = 0; y < 4; y++) {
        int row = clamp(first.y + y - 1, 0, last.y);
        vec4 four = vec4(
            codeAt(channel, ivec2(clamp(first.x - 1, 0, last.x), row)), codeAt(channel, ivec2(clamp(first.x, 0, last.x), row)),
            codeAt(channel, ivec2(clamp(first.x + 1, 0, last.x), row)), codeAt(channel, ivec2(clamp(first.x + 2, 0, last.x), row)));
        sum += dot(four, across) * down[y];
    }
    return uint(clamp(int(floor(sum + 0.5)), 0, TOP));
}

uint bytes(uint a, uint b, uint c, uint d) { return a | b << 8 | c << 16 | d << 24; }
uint tens(uint a, uint b) { return a << 6 | b << 22; }

void storeFour(int word, uint a, uint b, uint c, uint d) {
    if (FORMAT == 0) {
        result[word] = materialize(bytes(a, b, c, d));
        return;
    }
    result[word] = materialize(tens(a, b));
    result[word + 1] = materialize(tens(c, d));
}

void main() {
    const int across = SCALE / 2;
    ivec2 part = ivec2(int(gl_WorkGroupID.y) % across, int(gl_WorkGroupID.y) / across) * 32;
    ivec2 p = tilePlace(ownTile()) * (TILE * SCALE) + part + ivec2(gl_LocalInvocationID.xy) * ivec2(4, 2);
    if (p.x >= lens.size.x || p.y >= lens.size.y) return;
    if (COPY == 1) {
        copyRows(p);
        return;
    }
    vec2 size = round(vec2(lens.map) / lens.mapPerPixel);
    for (int y = 0; y < 2; y++) {
        ivec2 q = p + ivec2(0, y);
        if (PLANAR) {
            storeFour(
                lumaWord(q), enlarged(0, q, size), enlarged(0, q + ivec2(1, 0), size), enlarged(0, q + ivec2(2, 0), size),
                enlarged(0, q + ivec2(3, 0), size));
            continue;
        }
        for (int x = 0; x < 4; x++) {
            ivec2 r = q + ivec2(x, 0);
            if (FORMAT == 3) {
                uint opaque = imageLoad(picture, copiedRow(0, r.y) + 2 * r.x + 1).r & 0xFFFF0000u;
                result[wideWord(r)] = materialize(enlarged(0, r, size) | enlarged(1, r, size) << 16);
                result[wideWord(r) + 1] = materialize(enlarged(2, r, size) | opaque);
                continue;
            }
            uint alpha = byteOf(imageLoad(picture, copiedRow(0, r.y) + r.x).r, 3);
            result[packedWord(r)] = materialize(bytes(enlarged(0, r, size), enlarged(1, r, size), enlarged(2, r, size), alpha));
        }
    }
    if (!PLANAR) return;
    ivec2 q = p >> 1;
    vec2 halfSize = 0.5 * size;
    storeFour(
        chromaWord(p), enlarged(1, q, halfSize), enlarged(2, q, halfSize), enlarged(1, q + ivec2(1, 0), halfSize),
        enlarged(2, q + ivec2(1, 0), halfSize));
}

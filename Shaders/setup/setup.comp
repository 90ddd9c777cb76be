#version 450
#extension GL_GOOGLE_include_directive : require
// Splits the picture into a far and a near layer of linear light, each with the blur's radius, marks what is blurred,
// and starts the fill: what is not hidden by the near layer. One thread makes 2 x 2 layer pixels: stores cost the most here.
layout(local_size_x = 8, local_size_y = 8) in;
layout(constant_id = 0) const int SCALE = 2;
layout(constant_id = 1) const int DIRECT = 1; // the disparity map has the picture's size
layout(constant_id = 2) const int NEAR = 2;   // 0: nothing in front reaches, 1: but the fill starts here, 2: something is in front
layout(constant_id = 3) const int LIGHTS = 0; // 1: tiles with highlights are listed, 2: the listed tiles, highlights expanded
// Beside a silhouette the pixels hold both colours: the fill takes them only where there is nothing better.
const float RIM = 1.0 / 64.0; // its square times dark light still is a half
#include "lens.glsl"
#include "transfer.glsl"
#include "tile.glsl"
#include "colour.glsl"
#include "picture.glsl"
layout(binding = 1, r32ui) readonly uniform uimageBuffer picture;
layout(binding = 2, rgba32f) readonly uniform imageBuffer disparity;
layout(binding = 3) writeonly buffer Marks { u64vec2 marks[]; };        // of 4 x 4 pixels, a word a row
layout(binding = 4) writeonly buffer FarLayer { u64vec2 farLayer[]; };  // of two layer pixels in a row
layout(binding = 5) writeonly buffer FarRadii { uint64_t farRadii[]; }; // of 2 x 2 layer pixels
layout(binding = 6) writeonly buffer NearLayer { u64vec2 nearLayer[]; };
layout(binding = 7) writeonly buffer NearRadii { uint64_t nearRadii[]; };
layout(binding = 8) writeonly buffer Pyramid { u64vec2 pyramid[]; }; // light and its weight, far radius, near radius, near coverage
layout(binding = 9) writeonly buffer FarCoarseRadius { float farCoarseRadius[]; };
layout(binding = 10) buffer HighlightTiles { uint highlightTiles[]; };
layout(binding = 11, r32f) readonly uniform imageBuffer lightWeights; // of 2 x 2 layer pixels
#include "halves.glsl"
#include "read-row.glsl"
#include "highlight-tiles.glsl"
#include "highlight-coverage.glsl"
const int BEHIND = 0;
#include "disparity.glsl"

#include "layer-sums.glsl"

Sums left, right;
uvec4 marked[2];          // the left and, with SCALE 4, the right 4 x 4 pixels
vec4 farFour, nearFour;   // radii
vec4 farFirst, nearFirst; // the left of two layer pixels
vec4 shown, radii;
vec2 spread;
vec2 coarse = vec2(0.0); // far radius times coverage, coverage

void fourPixels(inout Sums first, inout Sums second, ivec2 p, uvec2 chroma, int side, int row) {
    Row four = readRow(p, chroma);
    vec4 disparities = disparityRow(p);
    mark = 0u;
    if (LIGHTS == 2) coverage = coverageRow(p);
    add(first, four.a, disparities.x, 0);
    add(first, four.b, disparities.y, 1);
    add(second, four.c, disparities.z, 2);
    add(second, four.d, disparities.w, 3);
    marked[side][row] = mark;
}

void store(Sums sums, ivec2 at, int index) {
    const float share = 1.0 / float(SCALE * SCALE);
    float far = sums.far.a * share, near = sums.near.a * share;
    float farMean = sums.farRadius / max(sums.far.a, 1e-6) * (1.0 / float(SCALE));
    if ((index & 1) == 0) farFirst = sums.far * share;
    else farLayer[halfPlace(ivec2(at.x >> 1, at.y))] = pack64ForStore(halves(farFirst, sums.far * share));
    farFour[index] = farMean;
    coarse += vec2(farMean * far, far);
    if (NEAR == 0) return;
    if (NEAR == 1) {
        shown += sums.base * share;
        radii += vec4(farMean * far, 0.0, 0.0, 0.0);
        return;
    }
    float nearMean = sums.nearRadius / max(sums.near.a, 1e-6) * (1.0 / float(SCALE));
    if ((index & 1) == 0) nearFirst = sums.near * share;
    else nearLayer[halfPlace(ivec2(at.x >> 1, at.y))] = pack64ForStore(halves(nearFirst, sums.near * share));
    nearFour[index] = nearMean;
    float weight = isRim(sums.spread) ? RIM : 1.0;
    spread = joinedSpread(spread, sums.spread);
    shown += sums.base * (share * weight);
    radii += vec4(farMean * far * weight, nearMean * near, near, 0.0);
}

void pair(ivec2 at, int row) {
    left = right = NOTHING;
    ivec2 p = at * SCALE;
    if (SCALE == 2) {
        uvec2 chroma = chromaOf(p);
        fourPixels(left, right, p, chroma, 0, 2 * row);
        fourPixels(left, right, p + ivec2(0, 1), chroma, 0, 2 * row + 1);
    } else {
        Sums leftHalf = left, rightHalf = right;
        for (int y = 0; y < 4; y++) {
            fourPixels(left, leftHalf, p + ivec2(0, y), chromaOf(p + ivec2(0, y)), 0, y);
            fourPixels(right, rightHalf, p + ivec2(4, y), chromaOf(p + ivec2(4, y)), 1, y);
        }
        marks[markPlace(at)] = pack64ForStore(marked[0]);
        marks[markPlace(at) + 1] = pack64ForStore(marked[1]);
        left = joined(left, leftHalf);
        right = joined(right, rightHalf);
    }
    store(left, at, 2 * row);
    store(right, at + ivec2(1, 0), 2 * row + 1);
}

void main() {
    uint tile = LIGHTS == 2 ? ownHighlightTile(SETUP_LISTS + kindOf(NEAR)) : ownTile();
    ivec2 quad = tilePlace(tile) * (TILE / 2) + ivec2(gl_LocalInvocationID.xy);
    if (2 * quad.x >= lens.work.x || 2 * quad.y >= lens.work.y) return;
    isolation = LIGHTS > 0 ? imageLoad(lightWeights, halfPlace(quad)).r : 0.0;
    shown = radii = vec4(0.0);
    spread = NOTHING.spread;
    pair(2 * quad, 0);
    pair(2 * quad + ivec2(0, 1), 1);
    if (SCALE == 2) marks[markPlace(quad)] = pack64ForStore(marked[0]);
    farRadii[halfPlace(quad)] = pack64ForStore(halves(farFour).xy);
    farCoarseRadius[halfPlace(quad)] = materialize(coarse.x / max(coarse.y, 1e-6));
    if (LIGHTS == 1 && peak > lens.knee && isolation > 0.0) appendHighlightTile(tile, SETUP_LISTS + kindOf(NEAR), BY_SETUP);
    if (NEAR == 0) return;
    if (NEAR == 2) nearRadii[halfPlace(quad)] = pack64ForStore(halves(nearFour).xy);
    float scale = (isRim(spread) ? RIM : 1.0) / max(shown.a, 1.0);
    radii.yz *= 1.0 / max(radii.z, 1.0);
    pyramid[halfPlace(quad)] = pack64ForStore(halves(shown * scale, radii * vec4(scale, 1.0, 1.0, 1.0)));
}

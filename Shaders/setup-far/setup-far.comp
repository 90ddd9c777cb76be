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

#include "mean-light.glsl"

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

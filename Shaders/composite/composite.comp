#version 450
#extension GL_GOOGLE_include_directive : require
// Lays the blurred layers over the sharp picture at full size; untouched pixels keep their bits.
layout(local_size_x = 8, local_size_y = 16) in;
layout(constant_id = 0) const int SCALE = 2;
layout(constant_id = 1) const int NEAR = 1; // 0: no near layer reaches these tiles, 1: it reaches them, 2: something is in front here
// 0: nothing is brighter than white, 1: parts of tiles where light differs much are listed, 2: the listed parts, light a cubic there
layout(constant_id = 2) const int RIMS = 0;
layout(constant_id = 3) const int WHOLE = 0; // 1: all of every pixel is the far layer's
#include "lens.glsl"
#include "transfer.glsl"
#include "tile.glsl"
#include "colour.glsl"
#include "picture.glsl"
layout(binding = 1, r32ui) readonly uniform uimageBuffer picture;
layout(binding = 2) writeonly buffer Result { uint result[]; };
layout(binding = 3, rgba32ui) readonly uniform uimageBuffer marks; // of 4 x 4 pixels, a word a row
layout(binding = 4, rg32ui) readonly uniform uimageBuffer farBlur;
layout(binding = 5, rg32ui) readonly uniform uimageBuffer nearBlur;
layout(binding = 6, rgba32ui) readonly uniform uimageBuffer fill; // of two layer pixels in a row
layout(binding = 7) buffer HighlightTiles { uint highlightTiles[]; };
#include "halves.glsl"
#include "read-row.glsl"
#include "quantize.glsl"
#include "highlight-tiles.glsl"
#include "cubic.glsl"
#include "write-rows.glsl"

#include "layer-rows.glsl"

// The encoded colour of one pixel; `touched` says whether anything blurred reaches it.
vec3 lay(vec3 encoded, uint mark, int index, vec4 far, vec4 near, vec4 hidden, out bool touched) {
    if (WHOLE == 1) {
        touched = true;
        return encode(clipped(far.rgb / max(far.a, 1e-4)));
    }
    float level = float(int(byteOf(mark, index) << 24) >> 24) * (1.0 / 127.0);
    float inFront = max(level, 0.0);
    // Light is the near layer's by its blurred coverage, the hidden scene's where that left the silhouette, else the pixel's own.
    float revealed = NEAR == 2 ? clamp((inFront - near.a) / max(1.0 - near.a, 1e-3), 0.0, 1.0) : 0.0;
    float share = max(-level, 0.0) + revealed * hidden.a;
    share = far.a > 1e-4 ? share : 0.0;
    vec3 light = decode(encoded);
    if (NEAR == 2) light = mix(light, hidden.rgb, revealed);
    light = mix(light, far.rgb / max(far.a, 1e-4), share);
    touched = share > 0.0;
    if (NEAR > 0) {
        light = near.rgb + (1.0 - near.a) * light;
        touched = touched || near.a > 0.0 || inFront > 0.0;
    }
    return touched ? encode(clipped(light)) : encoded;
}

void compose(inout Row row, uint mark, Columns far, Columns near, vec4 hidden, vec4 hiddenRight, out bvec4 touched) {
    row.a = lay(row.a, mark, 0, far.a, near.a, hidden, touched.x);
    row.b = lay(row.b, mark, 1, far.b, near.b, hidden, touched.y);
    row.c = lay(row.c, mark, 2, far.c, near.c, hiddenRight, touched.z);
    row.d = lay(row.d, mark, 3, far.d, near.d, hiddenRight, touched.w);
}

void main() {
    uint tile = RIMS == 2 ? ownHighlightTile(COMPOSITE_LISTS + kindOf(NEAR)) : ownTile();
    const int across = SCALE / 2;
    int part = RIMS == 2 ? int(tile >> 16) : int(gl_WorkGroupID.y);
    ivec2 p = tilePlace(tile) * (TILE * SCALE) + ivec2(part % across, part / across) * 32 + ivec2(gl_LocalInvocationID.xy) * ivec2(4, 2);
    if (p.x >= lens.size.x || p.y >= lens.size.y) return;
    vec2 at = (vec2(p.y, p.y + 1) + 0.5) * (1.0 / float(SCALE)) - 0.5;
    left = p.x / SCALE - 1;
    top = int(floor(at.x));
    parts = at - floor(at);
    Rows far, near;
    LAYER(far, farBlur)
    vec4 hidden = vec4(0.0), hiddenRight = vec4(0.0);
    if (NEAR > 0) LAYER(near, nearBlur)
    if (NEAR == 2) {
        ivec2 q = p / SCALE;
        uvec4 two = imageLoad(fill, halfPlace(ivec2(q.x >> 1, q.y)));
        hidden = firstFour(two);
        hiddenRight = secondFour(two);
        if (SCALE == 4) hidden = hiddenRight = (q.x & 1) == 0 ? hidden : hiddenRight;
    }
    uvec2 chroma = chromaOf(p);
    Row upper = readRow(p, chroma), lower = readRow(p + ivec2(0, 1), chroma);
    bvec4 upperTouched, lowerTouched;
    uvec4 rows = imageLoad(marks, markPlace(p >> 2));
    uvec2 mark = (p.y & 2) == 0 ? rows.xy : rows.zw;
    compose(upper, mark.x, far.upper, near.upper, hidden, hiddenRight, upperTouched);
    compose(lower, mark.y, far.lower, near.lower, hidden, hiddenRight, lowerTouched);
    if (RIMS == 1 && needsCubic) appendHighlightPart(tile, part, COMPOSITE_LISTS + kindOf(NEAR));
    writeRows(p, upper, lower, upperTouched, lowerTouched);
}

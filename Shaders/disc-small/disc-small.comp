#version 450
#extension GL_GOOGLE_include_directive : require
// The mean of a layer over the small disc around each pixel, summed pixel by pixel. One thread makes 2 x 2 pixels, which share what they read.
layout(local_size_x = 8, local_size_y = 8) in;
layout(constant_id = 0) const int RADIUS = 1;  // of DiscBuckets, in layer pixels: 1 to 6
layout(constant_id = 1) const int FLAGGED = 0; // 1: tiles without a flag hold nothing
#include "lens.glsl"
#include "tile.glsl"
#include "halves.glsl"
layout(binding = 1, rgba32ui) readonly uniform uimageBuffer layer;        // two pixels in a row
layout(binding = 2, rg32ui) readonly uniform uimageBuffer radii;          // of 2 x 2 pixels
layout(binding = 3) writeonly buffer Blurred { u64vec2 blurredLayer[]; }; // two pixels in a row

struct Disc {
    vec4 sum;
    float area, radius;
};
// Of one row: the pixel in the middle of a disc, and the sums of both at distances of one to six.
struct Row {
    vec4 middle, one, two, three, four, five, six;
};

const int REACH = RADIUS > 4 ? 3 : RADIUS > 2 ? 2 : 1; // in pairs of pixels, beside the own
ivec2 p;
uvec4 flags = uvec4(0xFFFFFFFFu); // of the first and the last tile in the first and the last row
ivec2 first;                      // tile

float radiusOf(float own, uint tile) {
    float r = own > 0.0 ? own : tileRadius(tile);
    return min(sqrt(max(r * r - RESAMPLING, 0.25)), float(RADIUS) + EXACT_REACH);
}

void findFlags() {
    ivec2 low = max(p - ivec2(2 * REACH, RADIUS), ivec2(0)), high = min(p + ivec2(2 * REACH + 1, RADIUS + 1), lens.work - 1);
    first = low / TILE;
    ivec2 last = high / TILE;
    flags = uvec4(tileFlags(first), tileFlags(ivec2(last.x, first.y)), tileFlags(ivec2(first.x, last.y)), tileFlags(last));
    flags = -(flags & 1u);
}

// The pair of pixels `index` pairs beside the own, none beyond the picture, in row y, which is in it.
uvec4 pairAt(int index, int y, uvec2 rowFlags) {
    int x = (p.x >> 1) + index, end = lens.work.x >> 1;
    uint kept = x >= 0 && x < end ? 0xFFFFFFFFu : 0u;
    if (FLAGGED == 1) kept &= x / (TILE / 2) == first.x ? rowFlags.x : rowFlags.y;
    return imageLoad(layer, halfPlace(ivec2(clamp(x, 0, end - 1), y))) & kept;
}

void add(inout Disc disc, Row row, int x, int dy, float inside) {
    float away = abs(float(dy));
    float middle = min(away, 0.5 * (away - 0.5 + disc.radius));
    float height = inside * clamp(disc.radius + 0.5 - away, 0.0, 1.0);
    float reach = sqrt(max(disc.radius * disc.radius - middle * middle, 0.0));
    vec4 sum = row.middle * min(2.0 * reach, 1.0) + row.one * clamp(reach - 0.5, 0.0, 1.0);
    if (RADIUS > 1) sum += row.two * clamp(reach - 1.5, 0.0, 1.0);
    if (RADIUS > 2) sum += row.three * clamp(reach - 2.5, 0.0, 1.0);
    if (RADIUS > 3) sum += row.four * clamp(reach - 3.5, 0.0, 1.0);
    if (RADIUS > 4) sum += row.five * clamp(reach - 4.5, 0.0, 1.0);
    if (RADIUS > 5) sum += row.six * clamp(reach - 5.5, 0.0, 1.0);
    vec2 span = clamp(float(x) + 0.5 + vec2(-reach, reach), 0.0, float(lens.work.x));
    disc.sum += height * sum;
    disc.area += height * (span.y - span.x);
}

Disc upperLeft, upperRight, lowerLeft, lowerRight;

// Row `dy` below the upper pixels.
void addRow(int dy) {
    int y = clamp(p.y + dy, 0, lens.work.y - 1);
    float inside = y == p.y + dy ? 1.0 : 0.0;
    uvec2 rowFlags = y / TILE == first.y ? flags.xy : flags.zw;
    uvec4 before = pairAt(-1, y, rowFlags), own = pairAt(0, y, rowFlags), after = pairAt(1, y, rowFlags);
    vec4 a = firstFour(before), b = secondFour(before), c = firstFour(own), d = secondFour(own), e = firstFour(after), f = secondFour(after);
    const vec4 none = vec4(0.0);
    Row left = Row(c, b + d, a + e, none, none, none, none), right = Row(d, c + e, b + f, none, none, none, none);
    if (RADIUS > 2) {
        uvec4 start = pairAt(-2, y, rowFlags), end = pairAt(2, y, rowFlags);
        vec4 g = firstFour(end), h = secondFour(start);
        left.three = h + f;
        right.three = a + g;
        left.four = firstFour(start) + g;
        right.four = h + secondFour(end);
        if (RADIUS > 4) {
            uvec4 farthest = pairAt(-3, y, rowFlags), last = pairAt(3, y, rowFlags);
            vec4 i = secondFour(farthest), j = firstFour(last);
            left.five = i + secondFour(end);
            right.five = firstFour(start) + j;
            left.six = firstFour(farthest) + j;
            right.six = i + secondFour(last);
        }
    }
    if (dy <= RADIUS) {
        add(upperLeft, left, p.x, dy, inside);
        add(upperRight, right, p.x + 1, dy, inside);
    }
    if (dy > -RADIUS) {
        add(lowerLeft, left, p.x, dy - 1, inside);
        add(lowerRight, right, p.x + 1, dy - 1, inside);
    }
}

void main() {
    uint tile = ownTile();
    ivec2 quad = tilePlace(tile) * (TILE / 2) + ivec2(gl_LocalInvocationID.xy);
    p = 2 * quad;
    if (p.x >= lens.work.x || p.y >= lens.work.y) return;
    first = ivec2(0);
    if (FLAGGED == 1) findFlags();
    vec4 four = firstFour(imageLoad(radii, halfPlace(quad)));
    upperLeft = Disc(vec4(0.0), 0.0, radiusOf(four.x, tile));
    upperRight = Disc(vec4(0.0), 0.0, radiusOf(four.y, tile));
    lowerLeft = Disc(vec4(0.0), 0.0, radiusOf(four.z, tile));
    lowerRight = Disc(vec4(0.0), 0.0, radiusOf(four.w, tile));
    if (RADIUS > 2) {
        for (int dy = -RADIUS; dy <= RADIUS + 1; dy++)
            addRow(dy); // eight rows of code and more take longer to compile than they gain
    } else {
        if (RADIUS > 1) addRow(-2);
        addRow(-1);
        addRow(0);
        addRow(1);
        addRow(2);
        if (RADIUS > 1) addRow(3);
    }
    int place = halfPlace(ivec2(quad.x, p.y));
    blurredLayer[place] = pack64ForStore(halves(upperLeft.sum / upperLeft.area, upperRight.sum / upperRight.area));
    blurredLayer[place + (lens.work.x >> 1)] = pack64ForStore(halves(lowerLeft.sum / lowerLeft.area, lowerRight.sum / lowerRight.area));
}

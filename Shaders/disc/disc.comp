#version 450
#extension GL_GOOGLE_include_directive : require
// The mean of a layer over the disc around each pixel, one span of the row sums per row of the disc.
layout(local_size_x = 16, local_size_y = 16) in;
layout(constant_id = 0) const int RADIUS = 4; // of DiscBuckets, in layer pixels; 0 clears
layout(constant_id = 1) const int EXACT = 1;  // spans end between pixels, for small discs and shaped ones
#include "lens.glsl"
#include "tile.glsl"
#include "halves.glsl"
layout(binding = 1, rgba32ui) readonly uniform uimageBuffer sums;
layout(binding = 2, rg32ui) readonly uniform uimageBuffer radii; // of 2 x 2 pixels
layout(binding = 3) writeonly buffer Blurred { uint64_t blurredLayer[]; };
layout(binding = 4, rgba32f) readonly uniform imageBuffer aperture;
#include "aperture.glsl"

uint tile;

ivec2 p;
float r;
uvec4 whole;
int count;
vec4 sum;
float area;

void wholeSpan(int dy) {
    float square = r * r - float(dy * dy);
    int y = clamp(p.y + dy, 0, lens.work.y - 1);
    int reach = int(sqrt(max(square, 0.0)));
    int low = max(p.x - reach, 0), end = min(p.x + reach + 1, lens.work.x);
    int high = square >= 0.0 && y == p.y + dy ? end : low;
    whole += imageLoad(sums, sumPlace(ivec2(high, y))) - imageLoad(sums, sumPlace(ivec2(low, y)));
    count += high - low;
}

vec4 between(uvec4 a, uvec4 b) { return vec4(ivec4(b - a)); }

// A row of a disc of `radius`.
void exactSpan(int dy, float radius, float weight) {
    float away = abs(float(dy));
    float middle = min(away, 0.5 * (away - 0.5 + radius));
    int y = clamp(p.y + dy, 0, lens.work.y - 1);
    float height = y == p.y + dy ? weight * clamp(radius + 0.5 - away, 0.0, 1.0) : 0.0;
    float reach = sqrt(max(radius * radius - middle * middle, 0.0));
    vec2 ends = SHAPED == 0 ? vec2(-reach, reach) : radius * endsAt((dy < 0 ? -middle : middle) / radius, tile);
    vec2 span = clamp(float(p.x) + 0.5 + ends, vec2(0.0), vec2(lens.work.x));
    float low = span.x, high = span.y;
    int l = int(low), h = int(high);
    uvec4 l0 = imageLoad(sums, sumPlace(ivec2(l, y))), h0 = imageLoad(sums, sumPlace(ivec2(h, y)));
    int next = min(l + 1, lens.work.x), last = min(h + 1, lens.work.x);
    uvec4 l1 = imageLoad(sums, sumPlace(ivec2(next, y))), h1 = imageLoad(sums, sumPlace(ivec2(last, y)));
    sum += height * (between(l0, h0) + between(h0, h1) * (high - float(h)) - between(l0, l1) * (low - float(l)));
    area += height * (high - low);
}

void span(int dy) {
    if (RINGS > 0.0) {
        for (int ring = 1; ring <= RING_COUNT; ring++)
            exactSpan(dy, r * ringRadius(ring), ringWeight(ring));
    } else if (EXACT == 1) exactSpan(dy, r, 1.0);
    else wholeSpan(dy);
}

#define PAIR(d) \
    if (RADIUS >= (d)) { \
        span(-(d)); \
        span(d); \
    }
#define PAIRS(d) \
    PAIR(d) \
    PAIR(d + 1) \
    PAIR(d + 2) \
    PAIR(d + 3)

void main() {
    tile = ownTile();
    p = tilePlace(tile) * TILE + ivec2(gl_LocalInvocationID.xy);
    if (p.x >= lens.work.x || p.y >= lens.work.y) return;
    if (RADIUS == 0) {
        blurredLayer[pixelPlace(p)] = pack64ForStore(uvec2(0u));
        return;
    }
    vec4 four = firstFour(imageLoad(radii, halfPlace(p >> 1)));
    vec2 two = (p.y & 1) == 0 ? four.xy : four.zw;
    r = (p.x & 1) == 0 ? two.x : two.y;
    r = r > 0.0 ? r : tileRadius(tile);
    r = min(sqrt(max(r * r - RESAMPLING, 0.25)), float(RADIUS) + (EXACT == 1 ? EXACT_REACH : WHOLE_REACH));
    whole = uvec4(0u);
    count = 0;
    sum = vec4(0.0);
    area = 0.0;
    span(0);
    PAIRS(1)
    PAIRS(5)
    PAIRS(9)
    PAIRS(13)
    PAIRS(17)
    PAIRS(21)
    PAIRS(25)
    PAIRS(29)
    if (EXACT == 0) {
        sum = vec4(whole);
        area = float(count);
    }
    blurredLayer[pixelPlace(p)] = pack64ForStore(halves(sum * (1.0 / ONE) / area).xy);
}

#version 450
#extension GL_GOOGLE_include_directive : require
// As disc.comp for large discs: one value for 2 x 2 layer pixels, one span of the sums over pairs of rows per pair of the disc's rows.
layout(local_size_x = 8, local_size_y = 8) in;
layout(constant_id = 0) const int RADIUS = 4; // of DiscBuckets, in layer pixels, even; 0 clears
layout(constant_id = 1) const int EXACT = 1;  // spans end between pixels, for small discs and shaped ones
#include "lens.glsl"
#include "tile.glsl"
#include "halves.glsl"
layout(binding = 1, rgba32ui) readonly uniform uimageBuffer sums;
layout(binding = 2, r32f) readonly uniform imageBuffer radius;
layout(binding = 3) writeonly buffer Blurred { uint64_t blurredLayer[]; };
layout(binding = 4, rgba32f) readonly uniform imageBuffer aperture;
#include "aperture.glsl"

uint tile;

ivec2 q;
int middle; // column in layer pixels
float r;
uvec4 whole = uvec4(0u);
int count = 0;
vec4 sum = vec4(0.0);
float area = 0.0;
float rows;   // half the disc's height, in rows of two pixels
float aspect; // its radius over that

// A row that lies wholly within the disc's height.
void wholeSpan(int dy) {
    float square = rows * rows - float(dy * dy);
    int y = clamp(q.y + dy, 0, (lens.work.y >> 1) - 1);
    int reach = int(aspect * sqrt(max(square, 0.0)) + 0.5);
    int low = max(middle - reach, 0), end = min(middle + reach, lens.work.x);
    int high = square >= 0.0 && y == q.y + dy ? end : low;
    whole += imageLoad(sums, sumPlace(ivec2(high, y))) - imageLoad(sums, sumPlace(ivec2(low, y)));
    count += high - low;
}

vec4 between(uvec4 a, uvec4 b) { return vec4(ivec4(b - a)); }

// A part of row y between two ends, of a share of its height.
void addSpan(int y, float height, vec2 ends) {
    if (EXACT == 0) ends = floor(ends + 0.5);
    vec2 span = clamp(float(middle) + ends, vec2(0.0), vec2(lens.work.x));
    float low = span.x, high = span.y;
    int l = int(low), h = int(high);
    uvec4 l0 = imageLoad(sums, sumPlace(ivec2(l, y))), h0 = imageLoad(sums, sumPlace(ivec2(h, y)));
    vec4 part = between(l0, h0);
    if (EXACT == 1) {
        int next = min(l + 1, lens.work.x), last = min(h + 1, lens.work.x);
        uvec4 l1 = imageLoad(sums, sumPlace(ivec2(next, y))), h1 = imageLoad(sums, sumPlace(ivec2(last, y)));
        part += between(h0, h1) * (high - float(h)) - between(l0, l1) * (low - float(l));
    }
    sum += height * part;
    area += height * (high - low);
}

// A row of the opening, or of a smaller one like it.
void shapedSpan(int dy, int y, float share, float weight) {
    vec2 at = float(dy) + vec2(-0.25, 0.25);
    vec2 heights = weight * 0.5 * clamp(2.0 * (share * rows - abs(at)) + 0.5, 0.0, 1.0);
    addSpan(y, heights.x, share * r * endsAt(at.x / (share * rows), tile));
    addSpan(y, heights.y, share * r * endsAt(at.y / (share * rows), tile));
}

// A row the disc may end in. Straight sides that cross it are followed in two steps.
void lastSpan(int dy) {
    int y = clamp(q.y + dy, 0, (lens.work.y >> 1) - 1);
    float inside = y == q.y + dy ? 1.0 : 0.0;
    if (SHAPED > 0) {
        if (RINGS > 0.0) {
            for (int ring = 1; ring <= RING_COUNT; ring++)
                shapedSpan(dy, y, ringRadius(ring), inside * ringWeight(ring));
        } else shapedSpan(dy, y, 1.0, inside);
        return;
    }
    float away = abs(float(dy)), at = min(away, 0.5 * (away - 0.5 + rows));
    float reach = aspect * sqrt(max(rows * rows - at * at, 0.0));
    addSpan(y, inside * clamp(rows + 0.5 - away, 0.0, 1.0), vec2(-reach, reach));
}

void span(int dy) {
    if (EXACT == 1 || 2 * abs(dy) + 4 >= RADIUS) lastSpan(dy);
    else wholeSpan(dy);
}

#define PAIR(d) \
    if (RADIUS >= 2 * (d)) { \
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
    q = tilePlace(tile) * (TILE / 2) + ivec2(gl_LocalInvocationID.xy);
    if (2 * q.x >= lens.work.x || 2 * q.y >= lens.work.y) return;
    if (RADIUS == 0) {
        blurredLayer[halfPlace(q)] = pack64ForStore(uvec2(0u));
        return;
    }
    middle = 2 * q.x + 1;
    float own = imageLoad(radius, halfPlace(q)).r;
    r = own > 0.0 ? own : tileRadius(tile);
    r = min(coarseDisc(r), sqrt(float((RADIUS + 1) * (RADIUS + 1)) + ROW_RESAMPLING));
    rows = 0.5 * sqrt(r * r - ROW_RESAMPLING);
    aspect = r / rows;
    span(0);
    PAIRS(1)
    PAIRS(5)
    PAIRS(9)
    PAIRS(13)
    sum += vec4(whole);
    area += float(count);
    blurredLayer[halfPlace(q)] = pack64ForStore(halves(sum * (1.0 / (2.0 * ONE)) / area).xy);
}

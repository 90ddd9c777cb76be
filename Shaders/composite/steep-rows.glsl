// Needs cubic.glsl, `left` and `steep`.
// At the rim of a bright light's disc, where light differs much, a cubic is laid through four rows and columns, within the values around.
struct Crossing {
    vec4 value, low, high;
};
#define CROSSING(layer, k, y, w) \
    cross(AT(layer, k, CLAMPED(y - 1)), AT(layer, k, CLAMPED(y)), AT(layer, k, CLAMPED(y + 1)), AT(layer, k, CLAMPED(y + 2)), w)
#define CLAMPED(line) clamp(line, 0, lens.work.y - 1)
#define STEEP_ROW(row, layer, y, part) \
    { \
        vec4 w = cubic(part); \
        Crossing a = CROSSING(layer, -1, y, w), b = CROSSING(layer, 0, y, w), c = CROSSING(layer, 1, y, w), d = CROSSING(layer, 2, y, w); \
        Crossing e = CROSSING(layer, 3, y, w), f = d; \
        if (SCALE == 2) f = CROSSING(layer, 4, y, w); \
        row.a = mix(row.a, crossed(a, b, c, d, SCALE == 2 ? 0.75 : 0.625), steep); \
        row.b = mix(row.b, SCALE == 2 ? crossed(b, c, d, e, 0.25) : crossed(a, b, c, d, 0.875), steep); \
        row.c = mix(row.c, crossed(b, c, d, e, SCALE == 2 ? 0.75 : 0.125), steep); \
        row.d = mix(row.d, SCALE == 2 ? crossed(c, d, e, f, 0.25) : crossed(b, c, d, e, 0.375), steep); \
    }

Crossing cross(vec4 a, vec4 b, vec4 c, vec4 d, vec4 w) { return Crossing(w.x * a + w.y * b + w.z * c + w.w * d, min(b, c), max(b, c)); }

vec4 crossed(Crossing a, Crossing b, Crossing c, Crossing d, float part) {
    vec4 w = cubic(part);
    return clamp(w.x * a.value + w.y * b.value + w.z * c.value + w.w * d.value, min(b.low, c.low), max(b.high, c.high));
}

// From 0 to 1, where light differs by a tenth of white or more.
float steepness(Columns a, Columns b, Columns c) {
    float low = min(min(min(a.a.g, a.b.g), min(a.c.g, b.a.g)), min(min(b.b.g, b.c.g), min(min(c.a.g, c.b.g), c.c.g)));
    float high = max(max(max(a.a.g, a.b.g), max(a.c.g, b.a.g)), max(max(b.b.g, b.c.g), max(max(c.a.g, c.b.g), c.c.g)));
    if (SCALE == 2) {
        low = min(low, min(min(a.d.g, b.d.g), c.d.g));
        high = max(high, max(max(a.d.g, b.d.g), c.d.g));
    }
    return clamp(10.0 * (high - low) - 1.0, 0.0, 1.0);
}

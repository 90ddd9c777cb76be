// Needs cubic.glsl, halves.glsl, `finished`, and where the first of its pixels lies.
const float STEEP = 8.0; // codes of 255

vec3 lightAt(int x, int y) { return firstFour(imageLoad(finished, halfPlace(clamp(first + ivec2(x, y), ivec2(0), last)))).rgb; }

struct Column {
    vec3 light, low, high;
};

// Beside a bright light a cubic overshoots: it stays between the values around it.
Column column(int x, int y, vec4 weights) {
    vec3 a = lightAt(x, y - 1), b = lightAt(x, y), c = lightAt(x, y + 1), d = lightAt(x, y + 2);
    return Column(weights.x * a + weights.y * b + weights.z * c + weights.w * d, min(b, c), max(b, c));
}

vec3 codesAt(Column a, Column b, Column c, Column d, float part) {
    vec4 weights = cubic(part);
    vec3 light = weights.x * a.light + weights.y * b.light + weights.z * c.light + weights.w * d.light;
    vec3 colour = encode(clipped(clamp(light, min(b.low, c.low), max(b.high, c.high))));
    return codesOfRGB(colour);
}

Line steepLine(int index) {
    int y = SCALE == 4 || index < 2 ? 0 : 1;
    vec4 weights = cubic(SCALE == 4 ? part.y + 0.125 * float(index) : 0.25 * float(index) + (index < 2 ? 0.625 : -0.375));
    Column a = column(-1, y, weights), b = column(0, y, weights), c = column(1, y, weights), d = column(2, y, weights);
    if (SCALE == 4) {
        return Line(
            codesAt(a, b, c, d, part.x), codesAt(a, b, c, d, part.x + 0.125), codesAt(a, b, c, d, part.x + 0.25),
            codesAt(a, b, c, d, part.x + 0.375));
    }
    Column e = column(3, y, weights);
    return Line(codesAt(a, b, c, d, 0.625), codesAt(a, b, c, d, 0.875), codesAt(b, c, d, e, 0.125), codesAt(b, c, d, e, 0.375));
}

// From 0 to 1, how much the codes of three lines differ.
float steepness(Line above, Line here, Line below) {
    vec3 low = min(min(above.a, above.b), min(here.a, here.b)), high = max(max(above.a, above.b), max(here.a, here.b));
    if (SCALE == 2) {
        low = min(low, min(min(above.c, here.c), min(below.c, min(below.a, below.b))));
        high = max(high, max(max(above.c, here.c), max(below.c, max(below.a, below.b))));
    }
    vec3 range = (high - low) * (FORMAT == 3 ? 1.0 / 257.0 : FORMAT == 2 ? 0.25 : 1.0);
    return clamp((max(max(range.x, range.y), range.z) - STEEP) * (1.0 / STEEP), 0.0, 1.0);
}

Line blend(Line codes, Line steep, float share) {
    return Line(mix(codes.a, steep.a, share), mix(codes.b, steep.b, share), mix(codes.c, steep.c, share), mix(codes.d, steep.d, share));
}

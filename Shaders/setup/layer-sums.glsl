// Needs colour.glsl and the constants NEAR and LIGHTS. Sums over the pixels of one layer pixel: premultiplied light of either layer, of what is not in
// front, and radii times coverage.
struct Sums {
    vec4 far, near, base;
    float farRadius, nearRadius;
    vec2 spread; // the least and the largest coverage of a pixel in front
};

const Sums NOTHING = Sums(vec4(0.0), vec4(0.0), vec4(0.0), 0.0, 0.0, vec2(1.0, 0.0));

vec2 joinedSpread(vec2 a, vec2 b) { return vec2(min(a.x, b.x), max(a.y, b.y)); }

// Whether some of it is in front altogether and some is not at all. Between is a surface that comes into focus.
bool isRim(vec2 spread) { return spread == vec2(0.0, 1.0); }

uint mark;        // of four pixels: how much each is of the near layer (positive) or the far one, in 127ths
vec4 coverage;    // of a highlight in each of the four
float isolation;  // IsolatedLights' weight of the thread's pixels, 0 to 1
float peak = 0.0; // brightest light so far

void add(inout Sums sums, vec3 encoded, float disparity, int index) {
    float radius = clamp((disparity - lens.focus) * lens.radiusPerDisparity, -lens.maxRadius, lens.maxRadius);
    vec4 light = vec4(decode(encoded), 1.0);
    if (LIGHTS == 2) light.rgb = mix(light.rgb, expand(light.rgb, lens.knee, lens.bend), coverage[index] * isolation);
    if (LIGHTS == 1) peak = max(peak, max(max(light.r, light.g), light.b));
    float far = blurred(-radius), near = blurred(radius);
    sums.far += light * far;
    sums.farRadius -= radius * far;
    if (NEAR > 0) sums.base += light * (1.0 - near);
    if (NEAR == 2) {
        sums.near += light * near;
        sums.nearRadius += radius * near;
        sums.spread = joinedSpread(sums.spread, vec2(near));
    }
    int level = int((near - far) * 127.0 + (near > far ? 0.5 : -0.5));
    mark |= uint(level & 255) << (8 * index);
}

Sums joined(Sums a, Sums b) {
    return Sums(
        a.far + b.far, a.near + b.near, a.base + b.base, a.farRadius + b.farRadius, a.nearRadius + b.nearRadius, joinedSpread(a.spread, b.spread));
}

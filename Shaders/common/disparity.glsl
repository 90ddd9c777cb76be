// Needs a texel buffer `disparity`, rows of whole texels, and the constant BEHIND, 1 where all is out of focus behind. A map of the picture's size pairs
// up with it; another is interpolated bilinearly, of what is out of focus behind and of the rest each by itself: what is between near and far would be
// in focus, a sharp line.
vec4 disparityTexel(int row, int column) { return imageLoad(disparity, row * ((lens.map.x + 3) >> 2) + column); }

// Value at `at` among eight from 0 to 7, by the weights of the two beside it.
float interpolated(vec4 first, vec4 second, float at) {
    return dot(first, max(1.0 - abs(at - vec4(0.0, 1.0, 2.0, 3.0)), 0.0)) + dot(second, max(1.0 - abs(at - vec4(4.0, 5.0, 6.0, 7.0)), 0.0));
}

vec4 interpolatedRow(vec4 first, vec4 second, vec4 at) {
    return vec4(
        interpolated(first, second, at.x), interpolated(first, second, at.y), interpolated(first, second, at.z), interpolated(first, second, at.w));
}

// Disparities of the four pixels at p, p.x a multiple of 4.
vec4 disparityRow(ivec2 p) {
    if (DIRECT == 1) return imageLoad(disparity, (p.y * lens.size.x + p.x) >> 2);
    ivec2 last = lens.map - 1;
    float y = clamp((float(p.y) + 0.5) * lens.mapPerPixel.y - 0.5, 0.0, float(last.y));
    vec4 x = clamp((float(p.x) + vec4(0.5, 1.5, 2.5, 3.5)) * lens.mapPerPixel.x - 0.5, 0.0, float(last.x));
    int top = int(y), bottom = min(top + 1, last.y);
    // A map is no larger than its picture: what four pixels need lies in two texels of each of two rows.
    int column = int(x.x) >> 2, beside = min(column + 1, last.x >> 2);
    vec4 upper = disparityTexel(top, column), lower = disparityTexel(bottom, column);
    vec4 upperBeside = disparityTexel(top, beside), lowerBeside = disparityTexel(bottom, beside);
    float below = y - float(top);
    x -= float(4 * column);
    vec4 all = interpolatedRow(mix(upper, lower, below), mix(upperBeside, lowerBeside, below), x);
    if (BEHIND == 1) return all;
    vec4 focus = vec4(lens.focus - SLIGHT / lens.radiusPerDisparity);
    vec4 front = step(focus, upper), frontLower = step(focus, lower);
    vec4 frontBeside = step(focus, upperBeside), frontLowerBeside = step(focus, lowerBeside);
    vec4 share = interpolatedRow(mix(front, frontLower, below), mix(frontBeside, frontLowerBeside, below), x);
    vec4 near =
        interpolatedRow(mix(front * upper, frontLower * lower, below), mix(frontBeside * upperBeside, frontLowerBeside * lowerBeside, below), x);
    return mix((all - near) / max(1.0 - share, 1e-3), near / max(share, 1e-3), greaterThan(share, vec4(0.5)));
}

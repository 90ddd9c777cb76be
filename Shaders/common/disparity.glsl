// Needs a texel buffer `disparity`, rows of whole texels. A map of the picture's size pairs up with it; another is interpolated bilinearly.
vec4 disparityTexel(int row, int column) { return imageLoad(disparity, row * ((lens.map.x + 3) >> 2) + column); }

// Value at `at` among eight from 0 to 7, by the weights of the two beside it.
float interpolated(vec4 first, vec4 second, float at) {
    return dot(first, max(1.0 - abs(at - vec4(0.0, 1.0, 2.0, 3.0)), 0.0)) + dot(second, max(1.0 - abs(at - vec4(4.0, 5.0, 6.0, 7.0)), 0.0));
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
    vec4 first = mix(disparityTexel(top, column), disparityTexel(bottom, column), y - float(top));
    vec4 second = mix(disparityTexel(top, beside), disparityTexel(bottom, beside), y - float(top));
    x -= float(4 * column);
    return vec4(
        interpolated(first, second, x.x), interpolated(first, second, x.y), interpolated(first, second, x.z), interpolated(first, second, x.w));
}

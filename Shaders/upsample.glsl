// Bilinear values at the 2 x 2 fine pixels of pixel q of an image half as fine: first, right of it, below it, right of that.
// Needs halves.glsl; `four` is firstFour, or secondFour.
#define UPSAMPLE(result, four, image, q) \
    { \
        ivec2 low = max((q) - 1, ivec2(0)), high = min((q) + 1, imageSize(image) - 1); \
        INTERPOLATE(result, four, imageLoad(image, low), imageLoad(image, ivec2((q).x, low.y)), imageLoad(image, ivec2(high.x, low.y)), \
            imageLoad(image, ivec2(low.x, (q).y)), imageLoad(image, q), imageLoad(image, ivec2(high.x, (q).y)), \
            imageLoad(image, ivec2(low.x, high.y)), imageLoad(image, ivec2((q).x, high.y)), imageLoad(image, high)) \
    }

// The same of both fours of a texel.
#define UPSAMPLE_BOTH(first, second, image, q) \
    { \
        ivec2 low = max((q) - 1, ivec2(0)), high = min((q) + 1, imageSize(image) - 1); \
        uvec4 a = imageLoad(image, low), b = imageLoad(image, ivec2((q).x, low.y)), c = imageLoad(image, ivec2(high.x, low.y)); \
        uvec4 d = imageLoad(image, ivec2(low.x, (q).y)), e = imageLoad(image, q), f = imageLoad(image, ivec2(high.x, (q).y)); \
        uvec4 g = imageLoad(image, ivec2(low.x, high.y)), h = imageLoad(image, ivec2((q).x, high.y)), i = imageLoad(image, high); \
        INTERPOLATE(first, firstFour, a, b, c, d, e, f, g, h, i) \
        INTERPOLATE(second, secondFour, a, b, c, d, e, f, g, h, i) \
    }

// Of nine texels, row after row.
#define INTERPOLATE(result, four, a, b, c, d, e, f, g, h, i) \
    { \
        vec4 left = four(d), centre = four(e), right = four(f); \
        vec4 upper = mix(four(b), centre, 0.75), lower = mix(four(h), centre, 0.75); \
        result[0] = mix(mix(four(a), left, 0.75), upper, 0.75); \
        result[1] = mix(mix(four(c), right, 0.75), upper, 0.75); \
        result[2] = mix(mix(four(g), left, 0.75), lower, 0.75); \
        result[3] = mix(mix(four(i), right, 0.75), lower, 0.75); \
    }

// Bilinear values at the 2 x 2 fine pixels of pixel q of `size` texels half as fine: first, right of it, below it, right of that.
// Needs halves.glsl; `four` is firstFour, or secondFour.
#define UPSAMPLE(result, four, texels, size, q) \
    { \
        ivec2 low = max(q - 1, ivec2(0)), high = min(q + 1, size - 1); \
        ivec3 rows = ivec3(low.y, (q).y, high.y) * (size).x; \
        INTERPOLATE( \
            result, four, imageLoad(texels, rows.x + low.x), imageLoad(texels, rows.x + (q).x), imageLoad(texels, rows.x + high.x), \
            imageLoad(texels, rows.y + low.x), imageLoad(texels, rows.y + (q).x), imageLoad(texels, rows.y + high.x), \
            imageLoad(texels, rows.z + low.x), imageLoad(texels, rows.z + (q).x), imageLoad(texels, rows.z + high.x)) \
    }

// The same of both fours of a texel.
#define UPSAMPLE_BOTH(first, second, texels, size, q) \
    { \
        ivec2 low = max(q - 1, ivec2(0)), high = min(q + 1, size - 1); \
        ivec3 rows = ivec3(low.y, (q).y, high.y) * (size).x; \
        uvec4 a = imageLoad(texels, rows.x + low.x), b = imageLoad(texels, rows.x + (q).x), c = imageLoad(texels, rows.x + high.x); \
        uvec4 d = imageLoad(texels, rows.y + low.x), e = imageLoad(texels, rows.y + (q).x), f = imageLoad(texels, rows.y + high.x); \
        uvec4 g = imageLoad(texels, rows.z + low.x), h = imageLoad(texels, rows.z + (q).x), i = imageLoad(texels, rows.z + high.x); \
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

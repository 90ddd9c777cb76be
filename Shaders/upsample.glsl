// Bilinear value at fine pixel p of an image half as fine.
#define UPSAMPLE(result, image, p) \
    { \
        ivec2 last = imageSize(image) - 1; \
        ivec2 low = (p - 1) >> 1; \
        vec2 part = vec2(0.75) - 0.5 * vec2(p & 1); \
        ivec2 a = clamp(low, ivec2(0), last), b = min(low + 1, last); \
        result = mix( \
            mix(imageLoad(image, a), imageLoad(image, ivec2(b.x, a.y)), part.x), \
            mix(imageLoad(image, ivec2(a.x, b.y)), imageLoad(image, b), part.x), part.y); \
    }

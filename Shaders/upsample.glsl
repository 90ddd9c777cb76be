// Bilinear values at the 2 x 2 fine pixels of pixel q of an image half as fine: first, right of it, below it, right of that.
#define UPSAMPLE(result, image, q) \
    { \
        ivec2 low = max((q) - 1, ivec2(0)), high = min((q) + 1, imageSize(image) - 1); \
        vec4 top = imageLoad(image, ivec2((q).x, low.y)), middle = imageLoad(image, q), bottom = imageLoad(image, ivec2((q).x, high.y)); \
        vec4 leftMiddle = imageLoad(image, ivec2(low.x, (q).y)), rightMiddle = imageLoad(image, ivec2(high.x, (q).y)); \
        vec4 upper = mix(top, middle, 0.75), lower = mix(bottom, middle, 0.75); \
        vec4 leftUpper = mix(imageLoad(image, low), leftMiddle, 0.75); \
        vec4 leftLower = mix(imageLoad(image, ivec2(low.x, high.y)), leftMiddle, 0.75); \
        vec4 rightUpper = mix(imageLoad(image, ivec2(high.x, low.y)), rightMiddle, 0.75); \
        vec4 rightLower = mix(imageLoad(image, high), rightMiddle, 0.75); \
        result[0] = mix(leftUpper, upper, 0.75); \
        result[1] = mix(rightUpper, upper, 0.75); \
        result[2] = mix(leftLower, lower, 0.75); \
        result[3] = mix(rightLower, lower, 0.75); \
    }

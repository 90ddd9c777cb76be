// Needs transfer.glsl. sRGB to linear light and back within 0.06 of an 8-bit code, without pow; HLG and PQ exactly. White is 1; WHITE_LEVEL of it
// is its share of the brightest light that HLG or PQ codes.

vec3 decodeHLG(vec3 c) {
    vec3 low = c * c * (1.0 / 3.0), high = (exp((c - 0.55991073) * (1.0 / 0.17883277)) + 0.28466892) * (1.0 / 12.0);
    return mix(high, low, lessThanEqual(c, vec3(0.5))) * BRIGHTEST;
}

vec3 encodeHLG(vec3 light) {
    vec3 x = light * WHITE_LEVEL;
    vec3 high = 0.17883277 * log(max(12.0 * x - 0.28466892, 1e-4)) + 0.55991073;
    return mix(high, sqrt(3.0 * x), lessThanEqual(x, vec3(1.0 / 12.0)));
}

// Powers of 1/78.84 and 78.84 near one: as series, since a driver's own pow is not that exact.
vec3 decodePQ(vec3 c) {
    vec3 y = log(max(c, 1e-6)) * (1.0 / 78.84375);
    vec3 p = 1.0 + y * (1.0 + y * (0.5 + y * (1.0 / 6.0 + y * (1.0 / 24.0 + y * (1.0 / 120.0)))));
    return pow(max(p - 0.8359375, 1e-9) / (18.8515625 - 18.6875 * p), vec3(1.0 / 0.1593017578125)) * BRIGHTEST;
}

vec3 encodePQ(vec3 light) {
    vec3 p = pow(clamp(light * WHITE_LEVEL, 1e-9, 1.0), vec3(0.1593017578125));
    vec3 u = 0.1640625 * (1.0 - p) / (1.0 + 18.6875 * p);
    vec3 z = u / (2.0 - u), square = z * z;
    return exp(-2.0 * 78.84375 * z * (1.0 + square * (1.0 / 3.0 + square * (0.2 + square * (1.0 / 7.0)))));
}

vec3 decode(vec3 c) {
    if (TRANSFER == 1) return decodeHLG(c);
    if (TRANSFER == 2) return decodePQ(c);
    vec3 curve = (((-0.1167903218 * c + 0.5265116530) * c + 0.5603706109) * c + 0.0284046502) * c + 0.0010462397;
    return mix(curve, c * (1.0 / 12.92), lessThanEqual(c, vec3(0.04045)));
}

// The mean of decode() of sRGB over colours about c, from their second, third and fourth central moments: exact for the curve, a polynomial.
vec3 decodedMean(vec3 c, vec3 moments) {
    vec3 bend = (-0.7007419308 * c + 1.5795349590) * c + 0.5603706109;
    vec3 skew = -0.4671612872 * c + 0.5265116530;
    return max(decode(c) + moments.x * bend + moments.y * skew - moments.z * 0.1167903218, 0.0);
}

vec3 encode(vec3 x) {
    if (TRANSFER == 1) return clamp(encodeHLG(x), 0.0, 1.0);
    if (TRANSFER == 2) return clamp(encodePQ(x), 0.0, 1.0);
    vec3 t = sqrt(sqrt(x));
    vec3 curve = ((-0.1368268930 * t + 0.9525784983) * t + 0.2557943592) * t - 0.0717607219;
    return mix(curve, x * 12.92, lessThanEqual(x, vec3(0.0031308)));
}

// Guess of a clipped light; compress() is its inverse.
vec3 expand(vec3 light, float knee, float bend) {
    float peak = max(max(light.r, light.g), light.b);
    float above = peak - knee;
    float rest = 1.0 - bend * above;
    float gain = (knee * rest + above) / (max(peak, 1e-6) * rest);
    return light * (above > 0.0 ? gain : 1.0);
}

// Light as the picture can code it: HLG and PQ above white, others up to it.
vec3 clipped(vec3 light) { return TRANSFER > 0 ? max(light, 0.0) : clamp(light, 0.0, 1.0); }

vec3 compress(vec3 light, float knee, float bend) {
    if (TRANSFER > 0) return max(light, 0.0);
    float peak = max(max(light.r, light.g), light.b);
    float above = peak - knee;
    float rest = 1.0 + bend * above;
    float gain = (knee * rest + above) / (max(peak, 1e-6) * rest);
    return clamp(light * (above > 0.0 ? gain : 1.0), 0.0, 1.0);
}

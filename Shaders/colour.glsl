// sRGB to linear light and back within 0.06 of an 8-bit code, without pow.
vec3 decode(vec3 c) {
    vec3 curve = (((-0.1167903218 * c + 0.5265116530) * c + 0.5603706109) * c + 0.0284046502) * c + 0.0010462397;
    return mix(curve, c * (1.0 / 12.92), lessThanEqual(c, vec3(0.04045)));
}

// The mean of decode() over colours about c, from their second and third central moments: exact for the curve, a polynomial.
vec3 decodedMean(vec3 c, float second, float third) {
    vec3 bend = (-0.7007419308 * c + 1.5795349590) * c + 0.5603706109;
    vec3 skew = -0.4671612872 * c + 0.5265116530;
    return max(decode(c) + second * bend + third * skew, 0.0);
}

vec3 encode(vec3 x) {
    vec3 t = sqrt(sqrt(x));
    vec3 curve = ((-0.1368268930 * t + 0.9525784983) * t + 0.2557943592) * t - 0.0717607219;
    return mix(curve, x * 12.92, lessThanEqual(x, vec3(0.0031308)));
}

// What a clipped light may have been; compress() is its inverse, so plain surfaces keep their brightness.
vec3 expand(vec3 light, float knee, float bend) {
    float peak = max(max(light.r, light.g), light.b);
    float above = peak - knee;
    float rest = 1.0 - bend * above;
    float gain = (knee * rest + above) / (max(peak, 1e-6) * rest);
    return light * (above > 0.0 ? gain : 1.0);
}

vec3 compress(vec3 light, float knee, float bend) {
    float peak = max(max(light.r, light.g), light.b);
    float above = peak - knee;
    float rest = 1.0 + bend * above;
    float gain = (knee * rest + above) / (max(peak, 1e-6) * rest);
    return clamp(light * (above > 0.0 ? gain : 1.0), 0.0, 1.0);
}

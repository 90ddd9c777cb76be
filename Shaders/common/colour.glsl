// Needs transfer.glsl. Codes to linear light and back without pow, exp and log, by minimax fits: within 0.06 of a code of sRGB's 8 bits, 0.01 of HLG's ten
// and 0.08 of PQ's. White is 1; WHITE_LEVEL of it is its share of the brightest light that HLG or PQ codes.

vec3 decodeHLG(vec3 c) {
    vec3 high = (((((9.6343725 * c - 31.5446706) * c + 46.9214625) * c - 37.6067220) * c + 17.3779921) * c - 4.2495688) * c + 0.46710426;
    return mix(high, c * c * (1.0 / 3.0), lessThanEqual(c, vec3(0.5))) * BRIGHTEST;
}

vec3 encodeHLG(vec3 light) {
    vec3 x = light * WHITE_LEVEL, root = sqrt(x);
    vec3 high = (((-1.8785797 * root - 25.8464512) * root - 0.61101056) * root + 0.71446892) / ((-19.1893334 * root - 9.4320430) * root + 1.0);
    return mix(high, root * sqrt(3.0), lessThanEqual(x, vec3(1.0 / 12.0)));
}

vec3 decodePQ(vec3 c) {
    vec3 above = ((((10.0566917 * c + 2.49477177) * c + 26.0040209) * c + 9.64597296) * c + 0.0644134339) * c + 3.88609494e-6;
    vec3 root = above / (((75.6360552 * c - 271.653589) * c + 243.280776) * c + 1.0);
    return root * root * BRIGHTEST;
}

vec3 encodePQ(vec3 light) {
    vec3 root = sqrt(sqrt(clamp(light * WHITE_LEVEL, 0.0, 1.0)));
    vec3 above = (((1657.29485 * root + 1775.83755) * root + 7.95181485) * root - 0.0163921828) * root + 4.71271944e-5;
    return above / ((((921.736202 * root + 1851.80505) * root + 623.674725) * root + 42.8697533) * root + 1.0);
}

vec3 decode(vec3 c) {
    if (TRANSFER == 1) return decodeHLG(c);
    if (TRANSFER == 2) return decodePQ(c);
    vec3 curve = (((-0.1167903218 * c + 0.5265116530) * c + 0.5603706109) * c + 0.0284046502) * c + 0.0010462397;
    return mix(curve, c * (1.0 / 12.92), lessThanEqual(c, vec3(0.04045)));
}

// Mean of decode() of sRGB over colours about c, from their variance and their third and fourth central moments: exact for the curve, a polynomial.
vec3 decodedMean(vec3 c, vec3 variance, float third, float fourth) {
    vec3 bend = (-0.7007419308 * c + 1.5795349590) * c + 0.5603706109;
    vec3 skew = -0.4671612872 * c + 0.5265116530;
    return max(decode(c) + variance * bend + third * skew - fourth * 0.1167903218, 0.0);
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

// Codes of eight bits from values, 0 to 255.
uint eightBits(float value) { return uint(int(clamp(value + 0.5, 0.0, 255.0))); }

uint fourBytes(vec4 values) {
    uvec4 codes = uvec4(ivec4(clamp(values + 0.5, 0.0, 255.0)));
    return codes.x | codes.y << 8 | codes.z << 16 | codes.w << 24;
}

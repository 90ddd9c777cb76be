// Four values, none below 0, as halves of two words, or twice four as those of four: a software device loads and stores word by word, lane by
// lane, and memory is what others wait for. A half has six bits of exponent and ten of mantissa, from 2^-30 on: a float without its ends,
// where a software device would compute packHalf2x16 bit by bit.
const float TWO_TO_96 = 79228162514264337593543950336.0;

uint twoHalves(float a, float b) {
    uvec2 bits = floatBitsToUint(vec2(a, b) * (1.0 / TWO_TO_96)) + 0x1000u;
    return (bits.x >> 13 & 0xFFFFu) | (bits.y << 3 & 0xFFFF0000u);
}

vec2 floatsOf(uint word) { return uintBitsToFloat(uvec2(word << 13, word >> 3) & 0x1FFFE000u) * TWO_TO_96; }

uvec4 halves(vec4 a, vec4 b) { return uvec4(twoHalves(a.x, a.y), twoHalves(a.z, a.w), twoHalves(b.x, b.y), twoHalves(b.z, b.w)); }

uvec4 halves(vec4 four) { return halves(four, vec4(0.0)); }
vec4 firstFour(uvec4 words) { return vec4(floatsOf(words.x), floatsOf(words.y)); }
vec4 secondFour(uvec4 words) { return vec4(floatsOf(words.z), floatsOf(words.w)); }

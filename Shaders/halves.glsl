// Four values as halves of two words, or twice four as those of four: a software device loads and stores word by word, lane by lane,
// and memory is what others wait for.
uvec4 halves(vec4 a, vec4 b) {
    uvec4 words = uvec4(packHalf2x16(a.xy), packHalf2x16(a.zw), packHalf2x16(b.xy), packHalf2x16(b.zw));
    // Always so, which a compiler cannot know: a software device's would pack anew for each lane that it stores.
    return lens.size.x > 0 ? words : uvec4(0u);
}

uvec4 halves(vec4 four) { return halves(four, vec4(0.0)); }
vec4 firstFour(uvec4 words) { return vec4(unpackHalf2x16(words.x), unpackHalf2x16(words.y)); }
vec4 secondFour(uvec4 words) { return vec4(unpackHalf2x16(words.z), unpackHalf2x16(words.w)); }

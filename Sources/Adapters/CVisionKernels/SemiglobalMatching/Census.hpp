#pragma once

#include "Lanes.hpp"

namespace rackfocus {

namespace {

/// The census compares a pixel with the 9 x 7 around it.
const int censusHalfWidth = 4, censusHalfHeight = 3, around = (2 * censusHalfWidth + 1) * (2 * censusHalfHeight + 1);
const int censusBytes = 8;

/// Census transform of `count` pixels, a bit for each of the 9 x 7 around that is not darker (its own is always set, so that two differ by 62 at most); `pixels` points to those of the first one.
TARGET_CLONES void censusTransform(const uint8_t *const *pixels, int count, uint8_t *out, std::ptrdiff_t plane) {
    for (int x = 0; x < count; x += lanes) {
        const ByteLanes own = unaligned(pixels[around / 2] + x);
#pragma clang loop unroll(full)
        for (int byte = 0; byte < censusBytes; byte++) {
            ByteLanes bits = ByteLanes{};
#pragma clang loop unroll(full)
            for (int bit = 0; bit < 8; bit++)
                if (const int i = 8 * byte + bit; i < around)
                    bits |= reinterpret_cast<ByteLanes>(unaligned(pixels[i] + x) >= own) & static_cast<uint8_t>(1 << bit);
            unaligned(out + byte * plane + x) = bits;
        }
    }
}

/// Carry-save adder: three bits to the two bits of their sum.
INLINE void addBits(const ByteLanes &a, const ByteLanes &b, const ByteLanes &c, ByteLanes &low, ByteLanes &high) {
    high = (a & b) | (c & (a | b));
    low = a ^ b ^ c;
}

/// Hamming distance of census signatures; seven of their bytes are reduced by carry-save adders before bits are counted.
INLINE void hammingDistance(const uint8_t *left, std::ptrdiff_t leftPlane, const uint8_t *right, std::ptrdiff_t rightPlane, ByteLanes &out) {
    ByteLanes differing[censusBytes], low[3], high[3], twice, fourTimes;
#pragma clang loop unroll(full)
    for (int i = 0; i < censusBytes; i++)
        differing[i] = unaligned(right + i * rightPlane) ^ left[i * leftPlane];
    addBits(differing[0], differing[1], differing[2], low[0], high[0]);
    addBits(differing[3], differing[4], differing[5], low[1], high[1]);
    addBits(low[0], low[1], differing[6], low[2], high[2]);
    addBits(high[0], high[1], high[2], twice, fourTimes);
    out = 2 * (2 * __builtin_elementwise_popcount(fourTimes) + __builtin_elementwise_popcount(twice)) + __builtin_elementwise_popcount(low[2]) +
        __builtin_elementwise_popcount(differing[7]);
}

} // namespace

} // namespace rackfocus

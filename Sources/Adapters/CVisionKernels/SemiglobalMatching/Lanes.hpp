#pragma once

#include "../Common/TargetClones.hpp"

#include <cstddef>
#include <cstdint>

#define INLINE __attribute__((always_inline)) static inline
#define INLINE_METHOD __attribute__((always_inline)) inline

namespace rackfocus {

namespace {

/// Disparities, or pixels, worked on at once.
const int lanes = 64;
typedef uint8_t ByteLanes __attribute__((vector_size(lanes)));
typedef uint16_t WordLanes __attribute__((vector_size(lanes)));

INLINE int smaller(int a, int b) { return a < b ? a : b; }
INLINE int larger(int a, int b) { return a > b ? a : b; }
INLINE std::ptrdiff_t offset(int row, int length) { return static_cast<std::ptrdiff_t>(row) * length; }

/// Lanes at any address. (Vectors are handed on by reference: by value they are not the same for every processor.)
typedef ByteLanes UnalignedBytes __attribute__((aligned(1), may_alias));
INLINE const UnalignedBytes &unaligned(const uint8_t *from) { return *reinterpret_cast<const UnalignedBytes *>(from); }
INLINE UnalignedBytes &unaligned(uint8_t *at) { return *reinterpret_cast<UnalignedBytes *>(at); }

} // namespace

} // namespace rackfocus

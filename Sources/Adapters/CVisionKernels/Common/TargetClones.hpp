#pragma once

#include <cstddef>
#include <new>
#include <vector>

// Function multiversioning: a loop written for the auto-vectoriser is compiled for AVX-512, AVX2 and SSE2, and the loader takes the widest that the
// processor runs. All versions give the same bits, as multiplications and additions are never fused.
// (Arithmetic only inside: a template that nothing but a clone instantiates may be missing at link time.)
#if defined(__x86_64__)
#define TARGET_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define TARGET_CLONES
#endif
#pragma STDC FP_CONTRACT OFF

namespace rackfocus {

/// `count` rounded up to a multiple of `lanes`.
constexpr int roundUp(int count, int lanes) { return (count + lanes - 1) / lanes * lanes; }

/// Allocator of memory aligned to cache lines of 64 bytes: a vector load that straddles two lines costs two.
template <typename T> struct CacheLineAllocator {
    typedef T value_type;
    static constexpr std::align_val_t line{64};

    CacheLineAllocator() = default;
    template <typename U> CacheLineAllocator(const CacheLineAllocator<U> &) {}
    T *allocate(size_t count) { return static_cast<T *>(::operator new(count * sizeof(T), line)); }
    void deallocate(T *memory, size_t) { ::operator delete(memory, line); }
    template <typename U> bool operator==(const CacheLineAllocator<U> &) const { return true; }
    template <typename U> bool operator!=(const CacheLineAllocator<U> &) const { return false; }
};

template <typename T> using AlignedVector = std::vector<T, CacheLineAllocator<T>>;

} // namespace rackfocus

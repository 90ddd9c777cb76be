#pragma once

#include <cstddef>
#include <new>
#include <vector>

// For loops written for the compiler's vectoriser: each processor takes the widest version it can run, and all give the same bits, as nothing is
// fused.
// (Only arithmetic in them: what a clone instantiates of a template may be missing where nothing else does.)
#define FAST __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#pragma STDC FP_CONTRACT OFF

namespace rackfocus {

/// A `count` made up to whole blocks of `lanes`.
constexpr int upToLanes(int count, int lanes) { return (count + lanes - 1) / lanes * lanes; }

/// Gives memory that begins where a line of the cache does: what is loaded from two lines at once is loaded twice.
template <typename T> struct OnLines {
    typedef T value_type;
    static constexpr std::align_val_t line{64};

    OnLines() = default;
    template <typename U> OnLines(const OnLines<U> &) {}
    T *allocate(size_t count) { return static_cast<T *>(::operator new(count * sizeof(T), line)); }
    void deallocate(T *memory, size_t) { ::operator delete(memory, line); }
    template <typename U> bool operator==(const OnLines<U> &) const { return true; }
    template <typename U> bool operator!=(const OnLines<U> &) const { return false; }
};

template <typename T> using LineVector = std::vector<T, OnLines<T>>;

} // namespace rackfocus

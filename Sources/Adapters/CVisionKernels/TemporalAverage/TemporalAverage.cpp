#include "TemporalAverage.hpp"

#include <algorithm>
#include <cmath>

namespace rackfocus {

namespace {

/// Largest drift of a 5 x 5 mean that counts as the same: above the sensor's noise, below a shadow's edge.
const int drift = 4;

const int radius = 2, side = 2 * radius + 1;

/// Means of 5 x 5 pixels from five rows; `sums` has room for `radius` more before and after.
TARGET_CLONES void boxMeanRow(const uint8_t *const *rows, int width, uint16_t *__restrict sums, uint8_t *__restrict out) {
    const uint8_t *a = rows[0], *b = rows[1], *c = rows[2], *d = rows[3], *e = rows[4];
    for (int x = 0; x < width; x++)
        sums[radius + x] = static_cast<uint16_t>(a[x] + b[x] + c[x] + d[x] + e[x]);
    for (int x = 1; x <= radius; x++) {
        sums[radius - x] = sums[radius + (x < width ? x : width - 1)];
        sums[radius + width - 1 + x] = sums[radius + (x < width ? width - 1 - x : 0)];
    }
    for (int x = 0; x < width; x++) {
        const int sum = sums[x] + sums[x + 1] + sums[x + 2] + sums[x + 3] + sums[x + 4];
        out[x] = static_cast<uint8_t>((sum + side * side / 2) * 5243 >> 17); // a 25th, for all such sums
    }
}

/// One row: averages over as many frames as nothing has moved, `ages`, at most `oldest`.
TARGET_CLONES void averageRow(
    const uint8_t *__restrict fresh, const uint8_t *__restrict means, uint8_t *__restrict lastMeans, uint8_t *__restrict ages,
    float *__restrict averages, uint8_t *__restrict out, int width, int oldest) {
    for (int x = 0; x < width; x++) {
        const int step = means[x] - lastMeans[x], older = ages[x] < oldest ? ages[x] + 1 : oldest;
        const int age = step <= drift && step >= -drift ? older : 0;
        ages[x] = static_cast<uint8_t>(age);
        averages[x] += (static_cast<float>(fresh[x]) - averages[x]) / static_cast<float>(age + 1);
        out[x] = static_cast<uint8_t>(static_cast<int>(averages[x] + 0.5f));
        lastMeans[x] = means[x];
    }
}

/// Means of 5 x 5 pixels, mirrored beyond the border; `sums` is scratch memory.
void boxMean5x5(PlaneView<const uint8_t> luma, std::vector<uint16_t> &sums, PlaneView<uint8_t> out) {
    sums.resize(static_cast<size_t>(luma.width + 2 * radius));
    for (int y = 0; y < luma.height; y++) {
        const uint8_t *rows[side];
        for (int i = 0; i < side; i++)
            rows[i] = luma.row(reflected(y + i - radius, luma.height));
        boxMeanRow(rows, luma.width, sums.data(), out.row(y));
    }
}

} // namespace

PlaneView<const uint8_t> TemporalAverage::average(PlaneView<const uint8_t> luma, double keep) {
    oldest = keep >= 1 ? 50 : std::min(50, static_cast<int>(std::lround(keep / (1 - keep))));
    means.resize(luma.width, luma.height);
    boxMean5x5(luma, sums, means.view());
    if (!lastMeans.hasSize(luma) || oldest == 0) {
        averages.copy(luma);
        picture.copy(luma);
        age.resize(luma.width, luma.height);
        age.fill(0);
        lastMeans.copy(means.view());
        return picture.view();
    }
    for (int y = 0; y < luma.height; y++)
        averageRow(luma.row(y), means.row(y), lastMeans.row(y), age.row(y), averages.row(y), picture.row(y), luma.width, oldest);
    return picture.view();
}

} // namespace rackfocus

#include "FHOGFeatures.hpp"

#include <algorithm>
#include <cmath>

using namespace rackfocus;

namespace {

/// Contrast-sensitive orientations; opposite ones are one in the insensitive half of them.
const int orientationCount = 18, half = orientationCount / 2;
/// Floats of a cell's histogram while it is accumulated.
const int histogramStride = 20;
const int lanes = 16;

/// Magnitude and orientation of the gradient at each pixel of a row.
TARGET_CLONES void computeGradients(
    const uint8_t *above, const uint8_t *row, const uint8_t *below, int count, float *magnitudes, uint8_t *orientations) {
    const float xs[half] = {1, 0.9397f, 0.7660f, 0.500f, 0.1736f, -0.1736f, -0.5f, -0.7660f, -0.9397f};
    const float ys[half] = {0, 0.3420f, 0.6428f, 0.8660f, 0.9848f, 0.9848f, 0.8660f, 0.6428f, 0.3420f};
    for (int x = 0; x < count; x++) {
        const float dx = float(row[x + 1] - row[x - 1]), dy = float(below[x] - above[x]);
        float best = 0;
        int orientation = 0;
#pragma clang loop unroll(full)
        for (int i = 0; i < half; i++) {
            const float along = dx * xs[i] + dy * ys[i];
            const bool isBetter = along > best, isOpposite = -along > best;
            best = isBetter ? along : (isOpposite ? -along : best);
            orientation = isBetter ? i : (isOpposite ? i + half : orientation);
        }
        magnitudes[x] = std::sqrt(dx * dx + dy * dy);
        orientations[x] = uint8_t(orientation);
    }
}

/// Gradient energy of a row of cells: the sum of squares of its insensitive bins.
TARGET_CLONES void sumEnergy(const float *bins, int plane, int count, float *energies) {
    for (int x = 0; x < count; x++) {
        float sum = 0;
#pragma clang loop unroll(full)
        for (int i = 0; i < half; i++) {
            const float both = bins[i * plane + x] + bins[(i + half) * plane + x];
            sum += both * both;
        }
        energies[x] = sum;
    }
}

/// Normalisation by the four cells around each corner: where a bin is truncated (0.2 of the norm), and its factor.
TARGET_CLONES void normalise(const float *upper, const float *lower, int count, float *caps, float *scales) {
    for (int x = 0; x < count; x++) {
        const float cap = 0.2f * std::sqrt(upper[x] + upper[x + 1] + lower[x] + lower[x + 1] + 0.0001f);
        caps[x] = cap;
        scales[x] = 0.1f / cap;
    }
}

/// A plane's row of bins, normalised and truncated by the four corners; each corner's part is added to the texture energies in `totals`, if any.
TARGET_CLONES void normaliseBins(
    const float *bin, const float *caps, const float *scales, int below, int count, float *out, float *totals, int plane) {
    const auto corner = [&](int x, int at) __attribute__((always_inline)) {
        return (bin[x] < caps[x + at] ? bin[x] : caps[x + at]) * scales[x + at];
    };
    for (int x = 0; x < count; x++)
        out[x] = corner(x, 0) + corner(x, 1) + corner(x, below) + corner(x, below + 1);
    if (totals)
        for (int x = 0; x < count; x++) {
            totals[x] += corner(x, below + 1);
            totals[plane + x] += corner(x, 1);
            totals[2 * plane + x] += corner(x, below);
            totals[3 * plane + x] += corner(x, 0);
        }
}

TARGET_CLONES void addRows(const float *a, const float *b, int count, float *out) {
    for (int x = 0; x < count; x++)
        out[x] = a[x] + b[x];
}

TARGET_CLONES void scaleRow(float *row, float factor, int count) {
    for (int x = 0; x < count; x++)
        row[x] *= factor;
}

/// Adds a separable filter's response to `scores`, sixteen columns of cells after the other; `across` has room for so many of all rows.
TARGET_CLONES void respond(
    const float *in, int stride, int rows, int width, const rf_fhog_filter &filter, float *__restrict across, float *__restrict scores) {
    const auto convolve = [](const float *at, int step, const float *weights, float *__restrict out) __attribute__((always_inline)) {
        for (int x = 0; x < lanes; x++, at++)
            out[x] = ((at[0] * weights[0] + at[step] * weights[1]) + (at[2 * step] * weights[2] + at[3 * step] * weights[3])) +
                ((at[4 * step] * weights[4] + at[5 * step] * weights[5]) + (at[6 * step] * weights[6] + at[7 * step] * weights[7])) +
                (at[8 * step] * weights[8] + at[9 * step] * weights[9]);
    };
    for (int left = 0; left < width; left += lanes) {
        for (int y = 0; y < rows + FHOGFeatures::taps - 1; y++)
            convolve(in + y * stride + left, 1, filter.row, across + y * lanes);
        for (int y = 0; y < rows; y++) {
            float sums[lanes], *out = scores + y * stride + left;
            convolve(across + y * lanes, lanes, filter.column, sums);
            for (int x = 0; x < lanes; x++)
                out[x] += sums[x];
        }
    }
}

/// Linear interpolation between two rows.
TARGET_CLONES void interpolateRows(const uint8_t *upper, const uint8_t *lower, float fraction, int count, float *out) {
    for (int x = 0; x < count; x++)
        out[x] = float(upper[x]) * (1 - fraction) + float(lower[x]) * fraction;
}

/// Linear interpolation along a row.
TARGET_CLONES void interpolateColumns(const float *row, const int *columns, const float *fractions, int count, uint8_t *out) {
    for (int x = 0; x < count; x++)
        out[x] = uint8_t(int(row[columns[x]] * (1 - fractions[x]) + row[columns[x] + 1] * fractions[x] + 0.5f));
}

} // namespace

void FHOGFeatures::accumulateHistograms(PlaneView<const uint8_t> picture, int cellRows, int cellColumns) {
    // A cell more on every side saves looking for the border.
    const int rowStep = (cellColumns + 2) * histogramStride;
    histograms.assign(size_t((cellRows + 2) * rowStep), 0);
    magnitudes.resize(size_t(picture.width));
    orientations.resize(size_t(picture.width));
    const int right = std::min(cellColumns * cellSize, picture.width) - 1, bottom = std::min(cellRows * cellSize, picture.height) - 1;
    for (int y = 1; y < bottom; y++) {
        computeGradients(
            picture.row(y - 1) + 1, picture.row(y) + 1, picture.row(y + 1) + 1, right - 1, magnitudes.data() + 1, orientations.data() + 1);
        // Shared out among the four cells whose middles are around the pixel; neighbours go to different cells, as one has to wait for the other
        // else.
        float *row = histograms.data() + (y + cellSize / 2) / cellSize * rowStep;
        const float down = (float((y + cellSize / 2) % cellSize) + 0.5f) / cellSize;
        for (int phase = 0; phase < cellSize; phase++) {
            const float across = (float((phase + cellSize / 2) % cellSize) + 0.5f) / cellSize;
            const float weights[4] = {(1 - down) * (1 - across), (1 - down) * across, down * (1 - across), down * across};
            for (int x = phase == 0 ? cellSize : phase; x < right; x += cellSize) {
                float *to = row + (x + cellSize / 2) / cellSize * histogramStride + orientations[size_t(x)];
                const float magnitude = magnitudes[size_t(x)];
                to[0] += weights[0] * magnitude;
                to[histogramStride] += weights[1] * magnitude;
                to[rowStep] += weights[2] * magnitude;
                to[rowStep + histogramStride] += weights[3] * magnitude;
            }
        }
    }
    const size_t across = size_t(roundUp(cellColumns, lanes)), plane = size_t(cellRows) * across;
    bins.assign(orientationCount * plane, 0);
    for (int y = 0; y < cellRows; y++)
        for (int x = 0; x < cellColumns; x++)
            for (int i = 0; i < orientationCount; i++)
                bins[size_t(i) * plane + size_t(y) * across + size_t(x)] = histograms[size_t((y + 1) * rowStep + (x + 1) * histogramStride + i)];
}

void FHOGFeatures::compute(PlaneView<const uint8_t> picture) {
    const int cellRows = int(float(picture.height) / cellSize + 0.5f), cellColumns = int(float(picture.width) / cellSize + 0.5f);
    rows = std::max(cellRows - 2, 0);
    columns = std::max(cellColumns - 2, 0);
    if (rows == 0 || columns == 0)
        return;
    accumulateHistograms(picture, cellRows, cellColumns);
    const int across = roundUp(cellColumns, lanes), plane = cellRows * across;
    energies.assign(size_t(plane + lanes), 0);
    caps.assign(energies.size(), 0);
    scales.assign(energies.size(), 0);
    for (int y = 0; y < cellRows; y++)
        sumEnergy(&bins[size_t(y * across)], plane, across, &energies[size_t(y * across)]);
    for (int y = 0; y + 1 < cellRows; y++)
        normalise(
            &energies[size_t(y * across)], &energies[size_t((y + 1) * across)], cellColumns - 1, &caps[size_t(y * across)],
            &scales[size_t(y * across)]);
    stride = roundUp(columns, lanes) + lanes;
    const int height = rows + taps - 1, size = height * stride, margin = (taps - 1) / 2;
    features.assign(size_t(planes * size), 0);
    scratch.assign(size_t(cellColumns), 0);
    for (int y = 0; y < rows; y++) {
        const size_t corner = size_t(y * across);
        float *out = &features[size_t((y + margin) * stride + margin)], *totals = out + 27 * size;
        const float *bin = &bins[size_t((y + 1) * across + 1)];
        for (int i = 0; i < orientationCount; i++)
            normaliseBins(bin + i * plane, &caps[corner], &scales[corner], across, columns, out + i * size, totals, size);
        for (int i = 0; i < half; i++) {
            addRows(bin + i * plane, bin + (i + half) * plane, columns, scratch.data());
            normaliseBins(scratch.data(), &caps[corner], &scales[corner], across, columns, out + (orientationCount + i) * size, nullptr, size);
        }
        for (int i = 0; i < 4; i++)
            scaleRow(totals + i * size, 2 * 0.2357f, columns);
    }
}

void FHOGFeatures::addResponse(const rf_fhog_filter &filter, float *scores) {
    scratch.resize(size_t((rows + taps - 1) * lanes));
    respond(plane(filter.plane), stride, rows, roundUp(columns, lanes), filter, scratch.data(), scores);
}

struct rf_fhog {
    FHOGFeatures features;
    AlignedVector<float> scores;
    std::vector<rf_fhog_window> windows;
};

extern "C" rf_fhog *rf_fhog_create(void) { return new rf_fhog(); }

extern "C" void rf_fhog_destroy(rf_fhog *fhog) { delete fhog; }

extern "C" void rf_fhog_compute(rf_fhog *fhog, const rf_image *grey) { fhog->features.compute(lumaOf(grey)); }

extern "C" int rf_fhog_find(rf_fhog *fhog, const rf_fhog_filter *filters, int count, double threshold, const rf_fhog_window **windows) {
    FHOGFeatures &features = fhog->features;
    fhog->windows.clear();
    fhog->scores.assign(static_cast<size_t>(features.rows * features.stride), 0);
    for (int i = 0; i < count; i++)
        features.addResponse(filters[i], fhog->scores.data());
    for (int y = 0; y < features.rows; y++)
        for (int x = 0; x < features.columns; x++) {
            const float score = fhog->scores[static_cast<size_t>(y * features.stride + x)];
            if (!(score < threshold))
                fhog->windows.push_back({x + FHOGFeatures::taps / 2, y + FHOGFeatures::taps / 2, score});
        }
    *windows = fhog->windows.data();
    return static_cast<int>(fhog->windows.size());
}

extern "C" void rf_pyramid_down(const rf_image *source, rf_image *target) {
    const PlaneView<const uint8_t> picture = lumaOf(source);
    const int rows = target->height, columns = target->width;
    const float stepY = float(picture.height - 1) / float(std::max(rows - 1, 1)), stepX = float(picture.width - 1) / float(std::max(columns - 1, 1));
    std::vector<int> lefts(static_cast<size_t>(columns));
    std::vector<float> fractions(lefts.size()), row(size_t(picture.width) + 1);
    for (size_t x = 0; x < lefts.size(); x++) {
        const float place = float(x) * stepX;
        lefts[x] = std::min(int(place), picture.width - 1);
        fractions[x] = place - float(lefts[x]);
    }
    for (int y = 0; y < rows; y++) {
        const float place = float(y) * stepY;
        const int top = std::min(int(place), picture.height - 1);
        interpolateRows(picture.row(top), picture.row(std::min(top + 1, picture.height - 1)), place - float(top), picture.width, row.data());
        row.back() = row[row.size() - 2];
        interpolateColumns(row.data(), lefts.data(), fractions.data(), columns, target->data + y * target->stride);
    }
}

#include "gradients.hpp"

#include <algorithm>
#include <cmath>

using namespace rackfocus;

namespace {

/// Directions of a gradient; the opposite ones are one in half of the planes.
const int directionCount = 18, half = directionCount / 2;
/// Floats of a cell's histogram while it is collected.
const int slot = 20;
const int lanes = 16;

/// Of the pixels of a row: how strong the gradient is, and its direction.
FAST void measureRow(const uint8_t *above, const uint8_t *row, const uint8_t *below, int count, float *strengths, uint8_t *directions) {
    const float xs[half] = {1, 0.9397f, 0.7660f, 0.500f, 0.1736f, -0.1736f, -0.5f, -0.7660f, -0.9397f};
    const float ys[half] = {0, 0.3420f, 0.6428f, 0.8660f, 0.9848f, 0.9848f, 0.8660f, 0.6428f, 0.3420f};
    for (int x = 0; x < count; x++) {
        const float dx = float(row[x + 1] - row[x - 1]), dy = float(below[x] - above[x]);
        float best = 0;
        int direction = 0;
#pragma clang loop unroll(full)
        for (int i = 0; i < half; i++) {
            const float along = dx * xs[i] + dy * ys[i];
            const bool isBetter = along > best, isOpposite = -along > best;
            best = isBetter ? along : (isOpposite ? -along : best);
            direction = isBetter ? i : (isOpposite ? i + half : direction);
        }
        strengths[x] = std::sqrt(dx * dx + dy * dy);
        directions[x] = uint8_t(direction);
    }
}

/// The energy of a row of cells, from planes of directions.
FAST void sumEnergy(const float *bins, int plane, int count, float *energies) {
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

/// What the four cells around each corner allow: the most that a direction counts, and what it is divided by.
FAST void normalise(const float *upper, const float *lower, int count, float *caps, float *scales) {
    for (int x = 0; x < count; x++) {
        const float cap = 0.2f * std::sqrt(upper[x] + upper[x + 1] + lower[x] + lower[x + 1] + 0.0001f);
        caps[x] = cap;
        scales[x] = 0.1f / cap;
    }
}

/// One direction's strength, held against the four corners; what each corner makes of it is added to `totals`, if there are any.
FAST void writeDirection(const float *bin, const float *caps, const float *scales, int below, int count, float *out, float *totals, int plane) {
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

FAST void addRows(const float *a, const float *b, int count, float *out) {
    for (int x = 0; x < count; x++)
        out[x] = a[x] + b[x];
}

FAST void scaleRow(float *row, float factor, int count) {
    for (int x = 0; x < count; x++)
        row[x] *= factor;
}

/// Weights neighbours that are `step` floats apart; `isMore` adds to what is there.
FAST void weigh(const float *in, int step, const float *weights, int count, bool isMore, float *out) {
    const float a = weights[0], b = weights[1], c = weights[2], d = weights[3], e = weights[4];
    const float f = weights[5], g = weights[6], h = weights[7], i = weights[8], j = weights[9];
    const auto sum = [&](const float *at) __attribute__((always_inline)) {
        return ((at[0] * a + at[step] * b) + (at[2 * step] * c + at[3 * step] * d)) + ((at[4 * step] * e + at[5 * step] * f) +
            (at[6 * step] * g + at[7 * step] * h)) + (at[8 * step] * i + at[9 * step] * j);
    };
    if (isMore)
        for (int x = 0; x < count; x++)
            out[x] += sum(in + x);
    else
        for (int x = 0; x < count; x++)
            out[x] = sum(in + x);
}

FAST void blendRows(const uint8_t *upper, const uint8_t *lower, float share, int count, float *out) {
    for (int x = 0; x < count; x++)
        out[x] = float(upper[x]) * (1 - share) + float(lower[x]) * share;
}

FAST void blendNeighbours(const float *row, const int *places, const float *shares, int count, uint8_t *out) {
    for (int x = 0; x < count; x++)
        out[x] = uint8_t(int(row[places[x]] * (1 - shares[x]) + row[places[x] + 1] * shares[x] + 0.5f));
}

} // namespace

void Gradients::collect(const cv::Mat &picture, int cellRows, int cellColumns) {
    // A cell more on every side saves looking for the border.
    const int step = (cellColumns + 2) * slot;
    histograms.assign(size_t((cellRows + 2) * step), 0);
    strengths.resize(size_t(picture.cols));
    directions.resize(size_t(picture.cols));
    const int right = std::min(cellColumns * cell, picture.cols) - 1, bottom = std::min(cellRows * cell, picture.rows) - 1;
    for (int y = 1; y < bottom; y++) {
        measureRow(picture.ptr(y - 1) + 1, picture.ptr(y) + 1, picture.ptr(y + 1) + 1, right - 1, strengths.data() + 1, directions.data() + 1);
        // Shared out among the four cells whose middles are around the pixel; neighbours go to different cells, as one has to wait for the other
        // else.
        float *row = histograms.data() + (y + cell / 2) / cell * step;
        const float down = (float((y + cell / 2) % cell) + 0.5f) / cell;
        for (int phase = 0; phase < cell; phase++) {
            const float across = (float((phase + cell / 2) % cell) + 0.5f) / cell;
            const float weights[4] = {(1 - down) * (1 - across), (1 - down) * across, down * (1 - across), down * across};
            for (int x = phase == 0 ? cell : phase; x < right; x += cell) {
                float *to = row + (x + cell / 2) / cell * slot + directions[size_t(x)];
                const float strength = strengths[size_t(x)];
                to[0] += weights[0] * strength;
                to[slot] += weights[1] * strength;
                to[step] += weights[2] * strength;
                to[step + slot] += weights[3] * strength;
            }
        }
    }
    const size_t across = size_t(upToLanes(cellColumns, lanes)), plane = size_t(cellRows) * across;
    bins.assign(directionCount * plane, 0);
    for (int y = 0; y < cellRows; y++)
        for (int x = 0; x < cellColumns; x++)
            for (int i = 0; i < directionCount; i++)
                bins[size_t(i) * plane + size_t(y) * across + size_t(x)] = histograms[size_t((y + 1) * step + (x + 1) * slot + i)];
}

void Gradients::measure(const cv::Mat &picture) {
    const int cellRows = int(float(picture.rows) / cell + 0.5f), cellColumns = int(float(picture.cols) / cell + 0.5f);
    rows = std::max(cellRows - 2, 0);
    columns = std::max(cellColumns - 2, 0);
    if (rows == 0 || columns == 0)
        return;
    collect(picture, cellRows, cellColumns);
    const int across = upToLanes(cellColumns, lanes), plane = cellRows * across;
    energies.assign(size_t(plane + lanes), 0);
    caps.assign(energies.size(), 0);
    scales.assign(energies.size(), 0);
    for (int y = 0; y < cellRows; y++)
        sumEnergy(&bins[size_t(y * across)], plane, across, &energies[size_t(y * across)]);
    for (int y = 0; y + 1 < cellRows; y++)
        normalise(
            &energies[size_t(y * across)], &energies[size_t((y + 1) * across)], cellColumns - 1, &caps[size_t(y * across)],
            &scales[size_t(y * across)]);
    stride = upToLanes(columns, lanes) + lanes;
    const int height = rows + taps - 1, size = height * stride, margin = (taps - 1) / 2;
    features.assign(size_t(planes * size), 0);
    scratch.assign(size_t(cellColumns), 0);
    for (int y = 0; y < rows; y++) {
        const size_t corner = size_t(y * across);
        float *out = &features[size_t((y + margin) * stride + margin)], *totals = out + 27 * size;
        const float *bin = &bins[size_t((y + 1) * across + 1)];
        for (int i = 0; i < directionCount; i++)
            writeDirection(bin + i * plane, &caps[corner], &scales[corner], across, columns, out + i * size, totals, size);
        for (int i = 0; i < half; i++) {
            addRows(bin + i * plane, bin + (i + half) * plane, columns, scratch.data());
            writeDirection(scratch.data(), &caps[corner], &scales[corner], across, columns, out + (directionCount + i) * size, nullptr, size);
        }
        for (int i = 0; i < 4; i++)
            scaleRow(totals + i * size, 2 * 0.2357f, columns);
    }
}

void Gradients::apply(const Filter &filter, float *scores) {
    const int width = upToLanes(columns, lanes);
    const float *in = plane(filter.plane);
    scratch.resize(size_t((rows + taps - 1) * stride));
    for (int y = 0; y < rows + taps - 1; y++)
        weigh(in + y * stride, 1, filter.row, width, false, &scratch[size_t(y * stride)]);
    for (int y = 0; y < rows; y++)
        weigh(&scratch[size_t(y * stride)], stride, filter.column, width, true, scores + y * stride);
}

void rackfocus::shrink(const cv::Mat &picture, cv::Mat &smaller) {
    const int rows = picture.rows * 5 / 6, columns = picture.cols * 5 / 6;
    smaller.create(rows, columns, CV_8U);
    const float down = float(picture.rows - 1) / float(std::max(rows - 1, 1)), across = float(picture.cols - 1) / float(std::max(columns - 1, 1));
    std::vector<int> places(static_cast<size_t>(columns));
    std::vector<float> shares(places.size()), row(size_t(picture.cols) + 1);
    for (size_t x = 0; x < places.size(); x++) {
        const float place = float(x) * across;
        places[x] = std::min(int(place), picture.cols - 1);
        shares[x] = place - float(places[x]);
    }
    for (int y = 0; y < rows; y++) {
        const float place = float(y) * down;
        const int top = std::min(int(place), picture.rows - 1);
        blendRows(picture.ptr(top), picture.ptr(std::min(top + 1, picture.rows - 1)), place - float(top), picture.cols, row.data());
        row.back() = row[row.size() - 2];
        blendNeighbours(row.data(), places.data(), shares.data(), columns, smaller.ptr(y));
    }
}

#include "Morphology.hpp"
#include "RampSharpener.hpp"
#include "SideWeights.hpp"

#include <algorithm>
#include <array>
#include <cmath>

using namespace rackfocus;

namespace {

/// Place of each pixel of a longer side between two values of a shorter one.
struct Interpolation {
    std::vector<int> first, second, nearest;
    std::vector<float> part;

    Interpolation(int count, int values) : first(count), second(count), nearest(count), part(count) {
        const float step = static_cast<float>(values) / static_cast<float>(count);
        for (int i = 0; i < count; i++) {
            const float place = std::clamp((static_cast<float>(i) + 0.5f) * step - 0.5f, 0.f, static_cast<float>(values - 1));
            first[i] = static_cast<int>(place);
            second[i] = std::min(first[i] + 1, values - 1);
            nearest[i] = static_cast<int>(place + 0.5f);
            part[i] = place - static_cast<float>(first[i]);
        }
    }

    /// End of the run of pixels from `begin` on that have the same nearest value.
    int endOfRun(int begin) const {
        int end = begin + 1;
        while (end < static_cast<int>(nearest.size()) && nearest[end] == nearest[begin])
            end++;
        return end;
    }

    float place(int i) const { return static_cast<float>(first[i]) + part[i]; }
};

/// A row of a map and of its picture, the two neighbours of each of the guide's pixels.
struct StretchedRow {
    std::vector<float> left, right;
    std::vector<int> leftLuma, rightLuma;
    int y = -1;

    void stretch(int row, PlaneView<const float> values, PlaneView<const uint8_t> picture, const Interpolation &columns) {
        if (y == row)
            return;
        const size_t count = columns.first.size();
        left.resize(count), right.resize(count), leftLuma.resize(count), rightLuma.resize(count);
        const float *value = values.row(row);
        const uint8_t *luma = picture.row(row);
        for (size_t x = 0; x < count; x++) {
            left[x] = value[columns.first[x]];
            right[x] = value[columns.second[x]];
            leftLuma[x] = luma[columns.first[x]];
            rightLuma[x] = luma[columns.second[x]];
        }
        y = row;
    }
};

/// Bilinear interpolation whose four weights grow with the likeness of luma.
TARGET_CLONES void interpolateRow(
    const float *__restrict topLeft, const float *__restrict topRight, const float *__restrict bottomLeft, const float *__restrict bottomRight,
    const int *__restrict topLeftLuma, const int *__restrict topRightLuma, const int *__restrict bottomLeftLuma,
    const int *__restrict bottomRightLuma, const float *__restrict part, float below, const float *__restrict affinity,
    const uint8_t *__restrict guide, int width, float *__restrict out) {
    for (int x = 0; x < width; x++) {
        const int luma = guide[x];
        const float a = (1 - part[x]) * (1 - below) * affinity[luma - topLeftLuma[x]];
        const float b = part[x] * (1 - below) * affinity[luma - topRightLuma[x]];
        const float c = (1 - part[x]) * below * affinity[luma - bottomLeftLuma[x]];
        const float d = part[x] * below * affinity[luma - bottomRightLuma[x]];
        out[x] = (a * topLeft[x] + b * topRight[x] + c * bottomLeft[x] + d * bottomRight[x]) / (a + b + c + d);
    }
}

/// Pixels of the guide, at most `most`, whose nearest value of the map is the same.
struct Cell {
    static constexpr int most = 16;
    int count;
    float luma[most];
    /// Weights of the window's columns and rows by their distance from each pixel.
    float across[5][most], down[5][most];
};

/// A value of the window: its place there, and the side of the step that it is on.
struct Neighbour {
    float value, luma, certainty;
    int column, row, side;
};

/// Adds each neighbour to its side, weighted by its likeness to each pixel of the cell and its distance from it.
TARGET_CLONES void addNeighbours(
    const Neighbour *neighbours, int count, float prior, const Cell &cell, float (*__restrict weight)[Cell::most],
    float (*__restrict sum)[Cell::most]) {
    for (int k = 0; k < count; k++) {
        const Neighbour &neighbour = neighbours[k];
        const float *across = cell.across[neighbour.column], *down = cell.down[neighbour.row];
        float *__restrict sideWeight = weight[neighbour.side], *__restrict sideSum = sum[neighbour.side];
        for (int i = 0; i < Cell::most; i++) {
            const float own = likeness(cell.luma[i] - neighbour.luma, prior) * across[i] * down[i] * neighbour.certainty;
            sideWeight[i] += own;
            sideSum[i] += own * neighbour.value;
        }
    }
}

/// The two sides of each step of a map, and which of them a pixel of the guide is on: the one whose pixels look more like it.
class StepSides {
public:
    StepSides(
        PlaneView<const float> disparity, PlaneView<const uint8_t> picture, PlaneView<const uint8_t> guide, const Interpolation &columns,
        const Interpolation &rows)
        : disparity(disparity), picture(picture), guide(guide), columns(columns), rows(rows) {
        erodeAndDilate(disparity, radius, low, high);
        std::vector<float> sorted;
        smallest = std::max(smallestStep * percentileRange(disparity, nullptr, sorted), 1e-6f);
        across = weights(columns);
        down = weights(rows);
    }

    /// Replaces the values of the guide's pixels near steps; `stride` is the number of values in a row of `out`.
    void select(float *out, size_t stride) {
        for (int y0 = 0, y1; y0 < guide.height; y0 = y1) {
            y1 = rows.endOfRun(y0);
            for (int x0 = 0, x1; x0 < guide.width; x0 = x1) {
                x1 = columns.endOfRun(x0);
                const int u = columns.nearest[x0], v = rows.nearest[y0];
                if (high.at(u, v) - low.at(u, v) > smallest)
                    select(x0, x1, y0, y1, out, stride);
            }
        }
    }

private:
    static constexpr int radius = 2, side = 2 * radius + 1;
    /// Weight of a pixel that is unlike.
    static constexpr float prior = 1e-3f;

    const PlaneView<const float> disparity;
    const PlaneView<const uint8_t> picture, guide;
    const Interpolation &columns, &rows;
    Plane<float> low, high;
    float smallest;
    /// Weights of the window's places by their distance, for each column and row of the guide.
    std::vector<std::array<float, side>> across, down;

    static std::vector<std::array<float, side>> weights(const Interpolation &places) {
        std::vector<std::array<float, side>> result(places.nearest.size());
        for (size_t i = 0; i < result.size(); i++)
            for (int k = 0; k < side; k++)
                result[i][k] = closeness(static_cast<float>(places.nearest[i] + k - radius) - places.place(static_cast<int>(i)), radius);
        return result;
    }

    /// A rectangle of the guide around one value of the map: all its pixels have the same window.
    void select(int x0, int x1, int y0, int y1, float *out, size_t stride) {
        Neighbour neighbours[side * side];
        const int count = neighboursOf(columns.nearest[x0], rows.nearest[y0], neighbours);
        Cell cell = {};
        float *target[Cell::most];
        for (int y = y0; y < y1; y++) {
            for (int x = x0; x < x1; x++) {
                const int i = cell.count++;
                target[i] = out + static_cast<size_t>(y) * stride + static_cast<size_t>(x);
                cell.luma[i] = guide.at(x, y);
                for (int k = 0; k < side; k++) {
                    cell.across[k][i] = across[static_cast<size_t>(x)][k];
                    cell.down[k][i] = down[static_cast<size_t>(y)][k];
                }
                if (cell.count < Cell::most && (x + 1 < x1 || y + 1 < y1))
                    continue;
                float weight[2][Cell::most] = {}, sum[2][Cell::most] = {};
                addNeighbours(neighbours, count, prior, cell, weight, sum);
                for (int pixel = 0; pixel < cell.count; pixel++) {
                    const int nearer = weight[1][pixel] > weight[0][pixel];
                    *target[pixel] = sum[nearer][pixel] / weight[nearer][pixel];
                }
                cell.count = 0;
            }
        }
    }

    /// The values of the window around (x, y) that lie on the map; their number.
    int neighboursOf(int x, int y, Neighbour *neighbours) {
        const float height = high.at(x, y) - low.at(x, y), middle = low.at(x, y) + height / 2;
        int count = 0;
        for (int row = 0; row < side; row++) {
            const int v = y + row - radius;
            for (int column = 0; column < side; column++) {
                const int u = x + column - radius;
                if (u < 0 || u >= disparity.width || v < 0 || v >= disparity.height)
                    continue;
                const float value = disparity.at(u, v);
                neighbours[count++] = {value, static_cast<float>(picture.at(u, v)), certainty(value, middle, height), column, row, value > middle};
            }
        }
        return count;
    }
};

} // namespace

/// Joint bilateral upsampling (Kopf et al., SIGGRAPH 2007, eq. 1) with bilinear weights; near a step one of its sides, never their mix.
/// Cost: O(pixels of the guide). Oracle: cv::resize and cv::ximgproc::jointBilateralFilter, which leave 9 of 100 pixels wrong where this leaves 1, in
/// nine times the processor time or more.
extern "C" void rf_disparity_upsample(const float *values, const rf_image *picture, const rf_image *guide, float *out, int stride) {
    const PlaneView<const uint8_t> large = lumaOf(guide), small = lumaOf(picture);
    const PlaneView<const float> disparity(values, small.width, small.height);
    float affinity[511];
    for (int i = -255; i <= 255; i++)
        affinity[i + 255] = std::exp(-static_cast<float>(std::abs(i)) / 6) + 1e-4f;
    const Interpolation columns(large.width, small.width), rows(large.height, small.height);
    StepSides sides(disparity, small, large, columns, rows);
    StretchedRow top, bottom;
    for (int y = 0; y < large.height; y++) {
        if (bottom.y == rows.first[y])
            std::swap(top, bottom);
        top.stretch(rows.first[y], disparity, small, columns);
        bottom.stretch(rows.second[y], disparity, small, columns);
        interpolateRow(
            top.left.data(), top.right.data(), bottom.left.data(), bottom.right.data(), top.leftLuma.data(), top.rightLuma.data(),
            bottom.leftLuma.data(), bottom.rightLuma.data(), columns.part.data(), rows.part[y], affinity + 255, large.row(y), large.width,
            out + static_cast<size_t>(y) * static_cast<size_t>(stride));
    }
    sides.select(out, static_cast<size_t>(stride));
}

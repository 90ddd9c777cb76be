#include "../include/CVisionKernels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

// Energies of a binary segmentation by colour: what each pixel's colour says, and how strongly neighbours belong together.
//
// Papers: Boykov and Jolly, "Interactive graph cuts", ICCV 2001, eq. 1 to 4 (terminal and neighbour weights, histograms as likelihoods); Rother,
// Kolmogorov and Blake, "GrabCut", SIGGRAPH 2004, eq. 11 (contrast term on 8 neighbours), for which OpenCV solves the minimum cut.
// Names: *palette*, the colours that k-means found; *similarity* of palette colours, whose rows add up to 1; *log likelihood* of background against
// object; *weight* of an edge.
// Units: natural logarithms times 3; edges up to 50.
// Cost: O(pixels * palette).
// Oracle: cv::grabCut, by the pixels of a painted ball that both find. Half of its processor time, k-means and minimum cut included.
// Changed: a histogram over 32 palette colours, smoothed among similar ones, instead of two mixtures of Gaussians: it is exact and quick to update.

struct rf_colour_model {
    /// The palette colour of each pixel.
    std::vector<int> labels;
    /// count x count.
    std::vector<double> similarities;
    int count;
};

namespace {

float squaredDistance(const float *a, const float *b) {
    return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]);
}

void assignPixels(const rf_image *picture, const float *palette, rf_colour_model &model) {
    model.labels.resize(size_t(picture->width) * size_t(picture->height));
    for (int y = 0, at = 0; y < picture->height; y++)
        for (int x = 0; x < picture->width; x++, at++) {
            const uint8_t *pixel = picture->data + y * picture->stride + 3 * x;
            const float own[3] = {float(pixel[0]), float(pixel[1]), float(pixel[2])};
            float least = std::numeric_limits<float>::max();
            for (int k = 0; k < model.count; k++) {
                const float distance = squaredDistance(own, palette + 3 * k);
                if (distance < least) {
                    least = distance;
                    model.labels[size_t(at)] = k;
                }
            }
        }
}

/// Colours as near as the nearest ones are (by the median) share their counts.
void compareColours(const float *palette, rf_colour_model &model) {
    const size_t n = size_t(model.count);
    std::vector<double> distances(n * n), nearest;
    for (size_t a = 0; a < n; a++) {
        double least = 1e9;
        for (size_t b = 0; b < n; b++) {
            const double distance = squaredDistance(palette + 3 * a, palette + 3 * b);
            distances[a * n + b] = distance;
            if (a != b)
                least = std::min(least, distance);
        }
        nearest.push_back(least);
    }
    std::nth_element(nearest.begin(), nearest.begin() + long(n / 2), nearest.end());
    const double reach = std::clamp(nearest[n / 2], 20.0, 1e6);
    model.similarities.resize(n * n);
    for (size_t a = 0; a < n; a++) {
        double sum = 0;
        for (size_t b = 0; b < n; b++) {
            const double similarity = std::exp(-distances[a * n + b] / reach);
            model.similarities[a * n + b] = similarity;
            sum += similarity;
        }
        for (size_t b = 0; b < n; b++)
            model.similarities[a * n + b] /= sum;
    }
}

/// The pixels that have a neighbour at (dx, dy), row by row.
template <class Body> void forNeighbours(const rf_image *picture, int dx, int dy, Body body) {
    for (int y = 0; y + dy < picture->height; y++)
        for (int x = std::max(0, -dx); x + std::max(0, dx) < picture->width; x++)
            body(x, y);
}

/// Right, below, below right, below left.
const int directions[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};

} // namespace

extern "C" rf_colour_model *rf_colour_model_create(const rf_image *picture, const float *palette, int count) {
    rf_colour_model *model = new rf_colour_model{{}, {}, count};
    assignPixels(picture, palette, *model);
    compareColours(palette, *model);
    return model;
}

extern "C" void rf_colour_model_destroy(rf_colour_model *model) { delete model; }

extern "C" void rf_colour_model_log_likelihoods(const rf_colour_model *model, const uint8_t *is_object, double *out) {
    const double factor = 3, leastShare = 1e-4;
    const size_t n = size_t(model->count);
    std::vector<double> counts[2] = {std::vector<double>(n), std::vector<double>(n)}, shares[2] = {counts[0], counts[0]};
    double totals[2] = {1e-9, 1e-9};
    for (size_t i = 0; i < model->labels.size(); i++) {
        counts[is_object[i]][size_t(model->labels[i])]++;
        totals[is_object[i]]++;
    }
    for (int side = 0; side < 2; side++)
        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; b < n; b++)
                shares[side][b] += counts[side][a] * model->similarities[a * n + b] / totals[side];
    std::vector<double> likelihoods(n);
    for (size_t k = 0; k < n; k++)
        likelihoods[k] = factor * (std::log(shares[0][k] + leastShare) - std::log(shares[1][k] + leastShare));
    for (size_t i = 0; i < model->labels.size(); i++)
        out[i] = likelihoods[size_t(model->labels[i])];
}

extern "C" void rf_neighbour_weights(const rf_image *picture, float *out) {
    const float strength = 50;
    const auto difference = [&](int x, int y, const int *direction) {
        const uint8_t *a = picture->data + y * picture->stride + 3 * x, *b = a + direction[1] * picture->stride + 3 * direction[0];
        return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]);
    };
    double sum = 0;
    int count = 0;
    for (const auto &direction : directions)
        forNeighbours(picture, direction[0], direction[1], [&](int x, int y) {
            sum += difference(x, y, direction);
            count++;
        });
    // Beta of GrabCut.
    const double scale = 1 / (2 * sum / std::max(count, 1) + 1e-9);
    for (const auto &direction : directions) {
        const bool isDiagonal = direction[0] != 0 && direction[1] != 0;
        const double most = strength * (isDiagonal ? std::sqrt(0.5) : 1);
        std::fill_n(out, picture->width * picture->height, 0.f);
        forNeighbours(picture, direction[0], direction[1], [&](int x, int y) {
            out[y * picture->width + x] = float(most * std::exp(-scale * float(difference(x, y, direction))));
        });
        out += picture->width * picture->height;
    }
}

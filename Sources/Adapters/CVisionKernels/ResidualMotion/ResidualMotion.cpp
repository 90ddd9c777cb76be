#include "../Common/Plane.hpp"
#include "../include/CVisionKernels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

// Motion of the camera, and what moves against it.
//
// Papers: Odobez and Bouthemy, "Robust multiresolution estimation of parametric motion models", JVCIR 1995 (affine model by iteratively reweighted least
// squares); the displaced frame difference of both motions decides where a residual is motion and not a fault of the flow.
// Names: *flow*, for each pixel where it was in the earlier picture, less its own place; *residual*, flow less the camera's motion.
// Units: pixels.
// Cost: O(pixels).
// Oracle: a patch drawn over a moving background (ResidualMotionTests).
// Changed: Cauchy weights from the median residual instead of Tukey's with a scale that is lowered step by step; no motion is a hypothesis of its own.

namespace {

using rackfocus::lumaOf;
using rackfocus::PlaneView;

/// Offset = origin + along * x + down * y, for x and y of -0.5...0.5 about the middle, both ways.
struct Affine {
    double terms[2][3] = {};

    double at(int axis, double x, double y) const { return terms[axis][0] + terms[axis][1] * x + terms[axis][2] * y; }
};

struct Sample {
    double x, y, offset[2];
};

/// Solves three equations by Cramer's rule; keeps `out` where they are degenerate.
void solve(const double (&m)[3][3], const double (&r)[3], double (&out)[3]) {
    const auto determinant = [](const double(&a)[3][3]) {
        return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
            a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
    };
    const double whole = determinant(m);
    if (std::abs(whole) < 1e-9)
        return;
    for (int column = 0; column < 3; column++) {
        double replaced[3][3];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                replaced[i][j] = j == column ? r[i] : m[i][j];
        out[column] = determinant(replaced) / whole;
    }
}

double median(std::vector<double> values) {
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<long>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// The camera's motion; `noise` receives the median residual.
Affine cameraMotion(const std::vector<Sample> &samples, double &noise) {
    Affine motion;
    std::vector<double> values;
    for (int axis = 0; axis < 2; axis++) {
        values.clear();
        for (const Sample &sample : samples)
            values.push_back(sample.offset[axis]);
        motion.terms[axis][0] = median(values);
    }
    for (int round = 0; round < 6; round++) {
        values.clear();
        for (const Sample &sample : samples)
            values.push_back(std::hypot(sample.offset[0] - motion.at(0, sample.x, sample.y), sample.offset[1] - motion.at(1, sample.x, sample.y)));
        noise = median(values);
        const double reach = std::max(0.05, 1.5 * noise);
        double moments[3][3] = {}, targets[2][3] = {};
        for (size_t i = 0; i < samples.size(); i++) {
            const double share = values[i] / reach, weight = 1 / ((1 + share * share) * (1 + share * share));
            const double terms[3] = {1, samples[i].x, samples[i].y};
            for (int a = 0; a < 3; a++) {
                for (int b = 0; b < 3; b++)
                    moments[a][b] += weight * terms[a] * terms[b];
                for (int axis = 0; axis < 2; axis++)
                    targets[axis][a] += weight * terms[a] * samples[i].offset[axis];
            }
        }
        for (int a = 0; a < 3; a++)
            moments[a][a] += 1e-6;
        solve(moments, targets[0], motion.terms[0]);
        solve(moments, targets[1], motion.terms[1]);
    }
    return motion;
}

/// Place of a pixel about the middle of a row or column, -0.5...0.5.
double middled(int place, int size) { return (place + 0.5) / size - 0.5; }

/// Least slope of an edge, levels a pixel, and distance from which on it is lost, pixels.
constexpr double leastSlope = 6, farthest = 0.5;

float bilinear(PlaneView<const uint8_t> plane, double x, double y) {
    x = std::clamp(x, 0.0, plane.width - 1.0);
    y = std::clamp(y, 0.0, plane.height - 1.0);
    const int left = static_cast<int>(x), top = static_cast<int>(y);
    const int right = std::min(left + 1, plane.width - 1), bottom = std::min(top + 1, plane.height - 1);
    const double across = x - left, down = y - top;
    const double high = plane.at(left, top) * (1 - across) + plane.at(right, top) * across;
    const double low = plane.at(left, bottom) * (1 - across) + plane.at(right, bottom) * across;
    return static_cast<float>(high * (1 - down) + low * down);
}

/// Mean distance, pixels and `farthest` at most, of the edges of `picture` from where a motion leads in `before`.
double distanceOfEdges(PlaneView<const uint8_t> before, PlaneView<const uint8_t> picture, const Affine &motion, const float *known) {
    double sum = 0;
    int count = 0;
    for (int y = 2; y < picture.height - 2; y += 2)
        for (int x = 2 + y / 2 % 2; x < picture.width - 2; x += 2) {
            const int right = picture.at(x + 1, y) - picture.at(x - 1, y), below = picture.at(x, y + 1) - picture.at(x, y - 1);
            if (right * right + below * below < 4 * leastSlope * leastSlope || known[y * picture.width + x] >= 0.5f)
                continue;
            const double slope = std::sqrt(right * right + below * below) / 2;
            const double across = middled(x, picture.width), down = middled(y, picture.height);
            const float there = bilinear(before, x + motion.at(0, across, down), y + motion.at(1, across, down));
            sum += std::min(std::abs(there - static_cast<float>(picture.at(x, y))) / slope, farthest);
            count++;
        }
    return count > 0 ? sum / count : 0;
}

/// Motion of the camera, none where the picture's edges stay where they were as well as they follow the fit: large things that move draw it along where
/// much of the picture is plain.
Affine cameraMotion(PlaneView<const uint8_t> before, PlaneView<const uint8_t> picture, const float *flow, const float *known, double &noise) {
    const int width = picture.width, height = picture.height;
    std::vector<Sample> samples;
    for (int y = 2; y < height; y += 4)
        for (int x = 2; x < width; x += 4)
            if (known[y * width + x] < 0.5f)
                samples.push_back({middled(x, width), middled(y, height), {flow[2 * (y * width + x)], flow[2 * (y * width + x) + 1]}});
    const Affine fitted = cameraMotion(samples, noise), none;
    if (distanceOfEdges(before, picture, none, known) > distanceOfEdges(before, picture, fitted, known))
        return fitted;
    noise = 0;
    return none;
}

/// Means over 3 x 3 pixels.
void smooth(std::vector<float> &values, int width, int height) {
    const std::vector<float> before = values;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            float sum = 0;
            for (int j = y - 1; j <= y + 1; j++)
                for (int i = x - 1; i <= x + 1; i++)
                    sum += before[static_cast<size_t>(std::clamp(j, 0, height - 1) * width + std::clamp(i, 0, width - 1))];
            values[static_cast<size_t>(y * width + x)] = sum / 9;
        }
}

} // namespace

extern "C" void rf_residual_motion(const rf_image *earlier, const rf_image *picture, const float *flow, const float *known, float *out) {
    const PlaneView<const uint8_t> before = lumaOf(earlier), now = lumaOf(picture);
    const int width = now.width, height = now.height;
    double noise = 0;
    const Affine camera = cameraMotion(before, now, flow, known, noise);
    // A camera that pans leaves parallax behind, which no affine motion explains.
    const double threshold = std::max({0.35, 4 * noise, 0.25 * std::hypot(camera.at(0, 0, 0), camera.at(1, 0, 0))});
    std::vector<float> gains(static_cast<size_t>(width * height));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const int at = y * width + x;
            const double dx = camera.at(0, middled(x, width), middled(y, height)), dy = camera.at(1, middled(x, width), middled(y, height));
            const float own = now.at(x, y);
            const float still = std::abs(bilinear(before, x + dx, y + dy) - own);
            const float moved = std::abs(bilinear(before, x + flow[2 * at], y + flow[2 * at + 1]) - own);
            gains[static_cast<size_t>(at)] = still - moved;
            const double residual = std::hypot(flow[2 * at] - dx, flow[2 * at + 1] - dy);
            out[at] = static_cast<float>(std::clamp((residual - threshold) / threshold, 0.0, 1.0));
        }
    smooth(gains, width, height);
    for (int at = 0; at < width * height; at++)
        out[at] *= std::clamp((gains[static_cast<size_t>(at)] - 1.5f) / 4, 0.f, 1.f);
}

extern "C" void rf_camera_flow(const rf_image *earlier, const rf_image *picture, const float *flow, const float *known, float *out) {
    const PlaneView<const uint8_t> now = lumaOf(picture);
    double noise = 0;
    const Affine camera = cameraMotion(lumaOf(earlier), now, flow, known, noise);
    for (int y = 0; y < now.height; y++)
        for (int x = 0; x < now.width; x++)
            for (int axis = 0; axis < 2; axis++)
                *out++ = static_cast<float>(camera.at(axis, middled(x, now.width), middled(y, now.height)));
}

extern "C" void rf_flow_warp(const float *values, const float *flow, int width, int height, float *out) {
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const int at = y * width + x;
            const float u = std::clamp(static_cast<float>(x) + flow[2 * at], 0.f, static_cast<float>(width - 1));
            const float v = std::clamp(static_cast<float>(y) + flow[2 * at + 1], 0.f, static_cast<float>(height - 1));
            const int left = static_cast<int>(u), top = static_cast<int>(v);
            const int right = std::min(left + 1, width - 1), bottom = std::min(top + 1, height - 1);
            const float part = u - static_cast<float>(left), low = v - static_cast<float>(top);
            const float upper = values[top * width + left] * (1 - part) + values[top * width + right] * part;
            const float lower = values[bottom * width + left] * (1 - part) + values[bottom * width + right] * part;
            out[at] = upper * (1 - low) + lower * low;
        }
}

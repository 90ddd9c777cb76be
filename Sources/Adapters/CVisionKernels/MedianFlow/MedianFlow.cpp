#include "../include/CVisionKernels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

// Motion of a region from points tracked forward and backward.
//
// Paper: Kalal, Mikolajczyk and Matas, "Forward-backward error: automatic detection of tracking failures", ICPR 2010, sections 2 and 3 (Median Flow);
// points are tracked by OpenCV's pyramidal Lucas and Kanade.
// Units: pixels; `growth` is a ratio of distances; `agreement` a share of the grid, 0...1.
// Cost: O(points squared), for 64 points.
// Oracle: cv::estimateAffinePartial2D (least median of squares) of the same points; cv::legacy::TrackerMedianFlow gives no agreement.
// Changed: points whose forward-backward error is above a pixel are dropped, instead of the worse half of them.

namespace {

const int gridSide = 8;
/// Fewer points tell nothing.
const size_t fewestPoints = 6;

double median(std::vector<double> &values) {
    const auto middle = values.begin() + static_cast<long>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Euclidean distance of points `a` and `b`, whose coordinates' differences are 32-bit floats.
double distance(const float *points, size_t a, size_t b) {
    const float dx = points[2 * a] - points[2 * b], dy = points[2 * a + 1] - points[2 * b + 1];
    return std::sqrt(static_cast<double>(dx) * dx + static_cast<double>(dy) * dy);
}

} // namespace

extern "C" int rf_median_flow_grid(rf_rect region, int width, int height, float *points) {
    int count = 0;
    for (int j = 0; j < gridSide; j++)
        for (int i = 0; i < gridSide; i++) {
            const float x = static_cast<float>(region.x + region.width * (i + 0.5) / gridSide);
            const float y = static_cast<float>(region.y + region.height * (j + 0.5) / gridSide);
            if (x >= 1 && y >= 1 && x < static_cast<float>(width - 1) && y < static_cast<float>(height - 1)) {
                points[2 * count] = x;
                points[2 * count + 1] = y;
                count++;
            }
        }
    return count;
}

extern "C" rf_motion rf_median_flow(const float *from, const float *to, const float *back, const uint8_t *found, int count) {
    rf_motion motion = {0, 0, 1, 0};
    std::vector<double> xs, ys, ratios;
    std::vector<size_t> kept;
    for (size_t i = 0; i < static_cast<size_t>(count); i++) {
        const float missX = back[2 * i] - from[2 * i], missY = back[2 * i + 1] - from[2 * i + 1];
        if (!found[i] || missX * missX + missY * missY > 1)
            continue;
        kept.push_back(i);
        xs.push_back(to[2 * i] - from[2 * i]);
        ys.push_back(to[2 * i + 1] - from[2 * i + 1]);
    }
    if (kept.size() < fewestPoints)
        return motion;
    std::vector<double> sortedX = xs, sortedY = ys;
    motion.dx = median(sortedX);
    motion.dy = median(sortedY);
    size_t agreed = 0;
    for (size_t i = 0; i < kept.size(); i++)
        agreed += std::abs(xs[i] - motion.dx) < 1.5 && std::abs(ys[i] - motion.dy) < 1.5;
    motion.agreement = static_cast<double>(agreed) / (gridSide * gridSide);
    for (size_t a = 0; a < kept.size(); a++)
        for (size_t b = a + 1; b < kept.size(); b++) {
            const double before = distance(from, kept[a], kept[b]);
            if (before > 4)
                ratios.push_back(distance(to, kept[a], kept[b]) / before);
        }
    if (!ratios.empty())
        motion.growth = median(ratios);
    return motion;
}

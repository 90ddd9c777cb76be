#include "CVisionOracles.h"
#include "HoleFilling/HoleFiller.hpp"

#include <algorithm>
#include <vector>

using namespace rackfocus;

extern "C" void rf_kernel_fill(const float *values, const float *trust, int width, int height, const float **out) {
    thread_local HoleFiller filler;
    *out = filler.fill(PlaneView<const float>(values, width, height), PlaneView<const float>(trust, width, height)).data;
}

extern "C" void rf_oracle_fill(const float *values, const float *trust, int width, int height, float *out) {
    const int directions[8][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    std::vector<float> nearest;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            nearest.clear();
            for (const auto &direction : directions) {
                int i = x, j = y;
                while (i >= 0 && i < width && j >= 0 && j < height && !(trust[j * width + i] > 0)) {
                    i += direction[0];
                    j += direction[1];
                }
                if (i >= 0 && i < width && j >= 0 && j < height)
                    nearest.push_back(values[j * width + i]);
            }
            std::sort(nearest.begin(), nearest.end());
            out[y * width + x] = nearest.empty() ? 0 : nearest[std::min<size_t>(1, nearest.size() - 1)];
        }
}

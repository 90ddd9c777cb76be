#pragma once

#include "../Common/Plane.hpp"

#include <algorithm>
#include <cstdint>

namespace rackfocus {

/// Sums of a mask over upright boxes of any size, from a summed-area table (Crow 1984).
class BoxSums {
public:
    void build(PlaneView<const uint8_t> mask) {
        sums.resize(mask.width + 1, mask.height + 1);
        std::fill_n(sums.row(0), sums.width, 0);
        for (int y = 0; y < mask.height; y++) {
            const int *const above = sums.row(y);
            int *const row = sums.row(y + 1);
            int along = 0;
            row[0] = 0;
            for (int x = 0; x < mask.width; x++) {
                along += mask.at(x, y);
                row[x + 1] = above[x + 1] + along;
            }
        }
    }

    /// Sum over the box of 2 `radius` + 1 pixels around a pixel; beyond the border there is nothing.
    int around(int x, int y, int radius) {
        const int left = std::max(x - radius, 0), right = std::min(x + radius + 1, sums.width - 1);
        const int top = std::max(y - radius, 0), bottom = std::min(y + radius + 1, sums.height - 1);
        return sums.at(right, bottom) - sums.at(left, bottom) - sums.at(right, top) + sums.at(left, top);
    }

private:
    Plane<int> sums;
};

} // namespace rackfocus

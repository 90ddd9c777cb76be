#pragma once

#include <cstdint>
#include <vector>

namespace rackfocus {

/// Semi-global matching of census signatures along five paths, those that come from the row above and from both sides (Hirschmüller, PAMI 2008), 8-bit costs.
class SemiGlobal {
public:
    /// Searches 0...`range` - 1 pixels, a multiple of 32, at most 256.
    explicit SemiGlobal(int range) : range(range), stride(range + 2 * pad) {}

    /// Disparities of the left picture in pixels, and a weight of trust: 1 where the right picture agrees and nothing else fits as well, else 0.
    void match(const uint8_t *left, const uint8_t *right, int width, int height, float *disparity, float *trust);

    const int range;

private:
    static constexpr int pad = 16;
    const int stride;
    int width = 0;
    /// Path sums of every pixel and disparity of one row.
    std::vector<uint16_t> sums;
    /// Three paths side by side for each pixel: of the row before, and of the row in work.
    std::vector<uint8_t> rows[2];
    std::vector<uint16_t> rightBest, rightDisparity;

    void startRows();
    void chooseRow(float *disparity, float *trust);
};

} // namespace rackfocus

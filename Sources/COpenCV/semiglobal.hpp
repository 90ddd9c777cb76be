#pragma once

#include <cstdint>
#include <vector>

namespace rackfocus {

/// Semi-global matching of census signatures along five paths, those that come from the row above and from both sides (Hirschmüller, PAMI 2008), 8-bit costs.
class SemiGlobal {
public:
    /// Searches 0...`range` - 1 pixels, a multiple of 32, at most 256.
    explicit SemiGlobal(int range) : range(range) {}

    /// Disparities of the left picture in pixels, and a weight of trust: 1 where the right picture agrees and nothing else fits as well, else 0.
    void match(const uint8_t *left, const uint8_t *right, int width, int height, float *disparity, float *trust);

    const int range;

    /// What one pixel of the left picture matches best.
    struct Choice {
        int disparity;
        int best;
        /// The best sum that is not beside the chosen one.
        int other;
        /// The sums beside the chosen one; at the ends of the range its own.
        int before, after;
    };

private:
    int width = 0;
    std::vector<uint64_t> leftCensus, rightCensus, reversed;
    std::vector<uint8_t> padded, costs;
    /// Of one row: path sums of every pixel and disparity, and what those of a pixel are too high by.
    std::vector<uint16_t> sums, surplus;
    /// Three paths side by side for each pixel, and the least each holds: of the row before, and of the row in work.
    std::vector<uint8_t> rows[2], leasts[2];
    std::vector<uint16_t> rightDisparity;
    std::vector<Choice> choices;

    void sign(const uint8_t *picture, int height, std::vector<uint64_t> &signatures);
    void startRows();
    void writeRow(float *disparity, float *trust) const;
};

} // namespace rackfocus

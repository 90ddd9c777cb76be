#pragma once

#include "fast.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rackfocus {

/// Semi-global matching of census signatures along five paths, those that come from the row above and from both sides (Hirschmüller, PAMI 2008),
/// all in 8 bits. Neighbouring disparities lie in neighbouring blocks of lanes, not in neighbouring lanes: so a path's step from one to the next
/// costs little.
class SemiGlobal {
public:
    /// Searches 0...`range` - 1 pixels, a multiple of 32, at most 256.
    explicit SemiGlobal(int range) : range(range) {}

    /// Disparities of the left picture in pixels, and a weight of trust: 1 where the right picture agrees and nothing else fits as well, else 0.
    void match(const uint8_t *left, const uint8_t *right, int width, int height, float *disparity, float *trust);

    const int range;

    /// What the pixels of one row match best.
    struct Found {
        std::vector<uint8_t> disparity;
        /// The best sum, the best that is not beside it, and the two beside it; at the ends of the range its own.
        std::vector<uint8_t> best, other, before, after;
        /// What the pixels of the right picture match best, and whether those of the left one agree.
        std::vector<uint8_t> right, agrees;
    };

    /// A picture with a rim, its rows dealt out: pixel i to deck i % `decks`, place i / `decks`.
    struct Deal {
        int decks = 1;
        int places = 0;
        LineVector<uint8_t> pixels;
        /// Signatures of one row: eight bytes of each pixel, each in decks of its own.
        LineVector<uint8_t> signatures;
    };

private:
    int width = 0;
    Deal left, right;
    LineVector<uint8_t> costs, sums, penalties;
    /// Of the row before, and of the row in work: three paths side by side for each pixel, the least of each taken off.
    LineVector<uint8_t> rows[2];
    Found found;

    void prepare(int decks, Deal &deal) const;
    void deal(const uint8_t *picture, int height, bool isMirrored, Deal &deal) const;
    void sign(Deal &deal, int row, bool isMirrored) const;
};

} // namespace rackfocus

#pragma once

#include "../Common/Plane.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rackfocus {

/// Semi-global matching of census-transformed rows of a rectified pair.
///
/// Papers: Hirschmüller, "Stereo processing by semiglobal matching and mutual information", PAMI 2008, eq. 13 (path costs), eq. 14 (their sum),
/// section 2.3 (sub-pixel, left-right check); Zabih and Woodfill, "Non-parametric local transforms", ECCV 1994 (census, here of 9 x 7 pixels).
/// Names: `cost` C(p, d) is the Hamming distance of two census signatures, 0...62; path costs L_r, penalties P1 and P2, sums S(p, d).
/// Units: disparities in pixels of the pictures; penalties in bits of the census.
/// Cost: O(width * height * range).
/// Oracle: cv::StereoSGBM, share of pixels off by more than 1 on Middlebury's pairs and on painted ones.
/// Changed: five paths (three from the row above, two along the row) instead of eight, so that one row is kept; everything in 8 bits, path costs less
/// their minimum; P2 falls with the local gradient, down to a floor; neighbouring disparities lie in neighbouring registers and not in neighbouring
/// lanes, so that L(d - 1) and L(d + 1) are loads. About 2.5 times less processor time than cv::StereoSGBM (MODE_SGBM), and fewer bad pixels.
class SemiglobalMatcher {
public:
    /// Disparities searched: `count` of them, 1...256, from `first` on, 0 or more.
    struct Range {
        int first, count;
    };

    /// Disparities of the left picture in pixels, and a trust of 1 where the right picture agrees and nothing else fits as well, else 0. Pictures have
    /// one size, and the maps no gaps between rows.
    void match(PlaneView<const uint8_t> left, PlaneView<const uint8_t> right, Range range, float *disparity, float *trust);

    /// Winners of one row, less the first disparity of the range.
    struct RowResult {
        std::vector<uint8_t> disparity;
        /// S at the winner, the least S that is not beside it, and S at d - 1 and d + 1; at the ends of the range its own.
        std::vector<uint8_t> leastSum, secondSum, sumBefore, sumAfter;
        /// The winner of each pixel of the right picture moved to the right by the first disparity, and whether the left one's agrees with it.
        std::vector<uint8_t> rightDisparity, isConsistent;
    };

    /// A picture with a rim, its columns interleaved: pixel i is in phase i % `phases`, column i / `phases`.
    struct InterleavedImage {
        int phases = 1;
        int columns = 0;
        AlignedVector<uint8_t> pixels;
        /// Census signatures of one row: a plane for each of their eight bytes, each in phases.
        AlignedVector<uint8_t> census;
    };

private:
    int width = 0;
    InterleavedImage left, right;
    AlignedVector<uint8_t> costs, sums, penalties;
    /// Path costs of the row before and of the row in work: three paths for each pixel, each less its minimum.
    AlignedVector<uint8_t> pathCosts[2];
    RowResult result;

    void prepare(int phases, int first, InterleavedImage &image) const;
    void interleave(PlaneView<const uint8_t> picture, bool isMirrored, InterleavedImage &image) const;
    void computeCensus(InterleavedImage &image, int row, bool isMirrored) const;
};

} // namespace rackfocus

#pragma once

#include "../Common/Plane.hpp"

#include <cstdint>
#include <vector>

namespace rackfocus {

/// Removes speckles from a disparity map: connected components too small to be a surface lose their trust.
///
/// Paper: the peak filter of Hirschmüller, PAMI 2008, section 2.5.1; connected components by runs and union-find (Rosenfeld and Pfaltz 1966).
/// Units: neighbours whose disparities differ by at most one pixel are connected; a speckle has at most 1/1500 of the map's pixels unless said.
/// Cost: nearly O(pixels).
/// Oracle: cv::filterSpeckles.
/// Changed: runs are found by comparing eight pixels' flags at once; untrusted pixels belong to no component.
class SpeckleFilter {
public:
    static constexpr double largestShare = 1.0 / 1500;

    /// Sets the trust of every pixel of a speckle to 0; a speckle has at most `share` of the map's pixels.
    void apply(PlaneView<const float> disparity, PlaneView<float> trust, double share = largestShare);

private:
    /// Connected neighbours in a row; `size` is that of its component, at the component's root.
    struct Run {
        uint32_t parent;
        int row, from, to, size;
    };

    std::vector<Run> runs;
    /// Flags of one row's pixels, and of as many more as are compared at once.
    std::vector<uint8_t> links;

    uint32_t root(uint32_t run);
    /// Finds the runs of a row and unites them with those of the row above, which are from `above` to `first`.
    void findRuns(int y, int width, size_t above, size_t first);
};

} // namespace rackfocus

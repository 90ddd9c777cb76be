#pragma once

#include "../Common/Plane.hpp"
#include "../FastGlobalSmoother/FastGlobalSmoother.hpp"

#include <vector>

namespace rackfocus {

/// Fills occlusions of a disparity map; keeps its memory from map to map.
///
/// Paper: the interpolation of Hirschmüller, PAMI 2008, section 2.5.3: an occluded pixel lies on the background, and takes the second lowest of the
/// nearest values in eight directions. Edges of the filling follow the picture by fast global smoothing of value and confidence (Min et al. 2014).
/// Units: those of the map; `trust` is 1 where a value was measured, else 0.
/// Cost: O(pixels), in two sweeps of four directions each, whatever the holes' size.
/// Oracle: eight rays walked from every hole.
/// Changed: the two lowest values are kept while sweeping, so that no ray is walked; mismatches are not told from occlusions.
class HoleFiller {
public:
    /// The map without holes; valid until the next call. Without any measured value it is 0.
    PlaneView<float> fill(PlaneView<const float> disparity, PlaneView<const float> trust);
    /// A map that was filled otherwise, in place of the last result.
    PlaneView<float> take(PlaneView<const float> map);
    /// Smooths the last result along the edges of a picture, in place; filled values count little.
    PlaneView<float> smooth(PlaneView<const float> trust, PlaneView<const uint8_t> luma);

private:
    FastGlobalSmoother smoother;
    Plane<float> filled, weight;
    /// The two lowest values met at each pixel so far.
    Plane<float> lowest, secondLowest;
    /// Nearest values carried from row to row, padded by one: from straight above, from both diagonals (read and written by turns), along the row.
    std::vector<float> straight, diagonals[2][2], beside;

    void sweep(PlaneView<const float> disparity, PlaneView<const float> trust, bool isDownwards);
};

} // namespace rackfocus

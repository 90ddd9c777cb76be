#pragma once

#include "../Common/Plane.hpp"

#include <cstdint>
#include <vector>

namespace rackfocus {

/// Finds what came nearer than a depth camera measures: a large hole where something was measured before and the picture now looks otherwise.
///
/// A thing that hides a surface lies before it; of those that a camera cannot measure in its range (dark hair, glass, the shadow beside an outline) nothing is as large.
/// It is set before everything that was ever measured, so that it is never in focus.
/// Units: those of the map; levels of luma.
/// Cost: O(pixels).
/// Oracle: none; RefinerTests walk somebody past.
/// Limits: what stands there from the first map on, or enters by less than the share below, is filled from behind as any hole.
class NearOccluder {
public:
    /// Sets value and trust of what is too near, in place.
    void apply(PlaneView<const uint8_t> luma, PlaneView<float> disparity, PlaneView<float> trust);

private:
    /// Disparity and luma of each pixel when it was measured last; no disparity before.
    Plane<float> seen;
    Plane<uint8_t> lumaSeen;
    /// Whether a pixel was measured before and is not now; cleared as it is counted.
    Plane<uint8_t> lost;
    std::vector<int> component;
    /// Greatest disparity that was ever measured.
    float nearest = 0;

    void collect(int start);
};

} // namespace rackfocus

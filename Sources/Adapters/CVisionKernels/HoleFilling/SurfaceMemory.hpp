#pragma once

#include "../Common/Plane.hpp"
#include "BoxSums.hpp"
#include "StandingCamera.hpp"

#include <cstdint>
#include <vector>

namespace rackfocus {

/// Memory of the surface that lies at each pixel of a camera that stands still; it tells what holes are.
///
/// - A hole that looks as its surface did is that surface: an eye of a pair does not see it any more, or a depth camera fails in this frame.
/// - A hole that looks otherwise hides its surface, so it lies before it: it has the disparity of what is nearer beside it (dark hair of somebody who came
///   in), and without any such, where it is large, lies before everything that was ever measured (somebody nearer than the range).
/// - Of a depth camera, a large compact hole that comes in from the left, the right or below and was never measured is nearer than the range, too, unless
///   what surrounds it is the farthest of the map.
///
/// Units: those of the map; levels of luma.
/// Cost: O(pixels).
/// Oracle: none; RefinerTests walk somebody past.
/// Limits: a camera that moves has no memory; what a pair cannot match in the first frame is filled from behind.
class SurfaceMemory {
public:
    /// Sets value and trust of the holes that it can tell, in place. Values that differ by `step` are of two surfaces. `isMatched`: the map is of a pair.
    void apply(PlaneView<const uint8_t> luma, PlaneView<float> disparity, PlaneView<float> trust, float step, bool isMatched);

private:
    /// A surface at each pixel: its disparity, its luma, and whether there is one; of `next`, which was measured since, in how many frames running.
    struct Surface {
        Plane<float> value;
        Plane<uint8_t> look, count;
    };

    StandingCamera camera;
    Surface surface, next;
    /// Holes with a surface, or without; those of them that are asked for; those that look as their surface; those that have been told.
    Plane<uint8_t> known, asked, same, told;
    /// Pixels that were told by their shape in the frame before; a component on its own.
    Plane<uint8_t> before, core;
    BoxSums sums, knownSums;
    std::vector<int> component;
    std::vector<float> beside;
    /// Greatest disparity that was ever measured, in each column and of all.
    std::vector<float> nearestOfColumn;
    float nearest = 0;

    void begin(PlaneView<const float> disparity);
    void forget();
    void learn(PlaneView<const uint8_t> luma, PlaneView<const float> disparity, PlaneView<const float> trust, float step);
    void learnOther(int x, int y, float value, uint8_t look, float step);
    void tellHidden(PlaneView<const uint8_t> luma, PlaneView<float> disparity, PlaneView<float> trust, float step, bool isMatched);
    void tellUnknown(PlaneView<float> disparity, PlaneView<float> trust, float step);
    void tellEnclosed(PlaneView<float> disparity, PlaneView<const float> trust, int radius);
    void trustTold(PlaneView<float> trust);
    bool comesIn(int radius);
    void collect(int start);
};

} // namespace rackfocus

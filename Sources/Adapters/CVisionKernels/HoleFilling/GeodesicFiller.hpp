#pragma once

#include "../Common/Plane.hpp"

#include <cstdint>

namespace rackfocus {

/// Fills holes of a depth camera's map by looks: each takes the value of the measured pixel that is nearest along the picture, where a change of luma counts as
/// way. Hair that was not measured belongs to its head, the shadow of the projector beside an outline to the wall that is seen there.
///
/// Paper: geodesic distance by raster scans, Toivanen, "New geodesic distance transforms for gray-scale images", Pattern Recognition Letters 1996; used for
/// segmentation by Criminisi, Sharp and Blake, ECCV 2008.
/// Units: those of the map; ways in pixels, to which a level of luma adds as many.
/// Cost: O(pixels), two scans down and two up over the holes.
/// Oracle: a priority queue (RefinerTests); what scans miss are ways that turn back more than twice.
/// Changed: of two surfaces, the nearer one begins with a handicap, as most holes beside an outline lie behind it.
class GeodesicFiller {
public:
    /// Fills what has no `trust` in place; values that differ by `step` are of two surfaces. Without any measured value it is 0.
    void fill(PlaneView<float> disparity, PlaneView<const float> trust, PlaneView<const uint8_t> luma, float step);

private:
    /// Way from the nearest measured pixel; measured values with the highest number in holes; the least and the greatest of them all around.
    Plane<float> way, measured, low, high;

    void scan(PlaneView<float> disparity, PlaneView<const float> trust, PlaneView<const uint8_t> luma, bool isDownwards);
};

} // namespace rackfocus

#pragma once

#include "../Common/Plane.hpp"
#include "../TemporalAverage/TemporalAverage.hpp"

#include <cstdint>
#include <vector>

namespace rackfocus {

/// Recursive filter of disparity over time: averaged where the picture stands still; a value that cannot be measured keeps what it was, and another
/// value has to be measured more often than not to replace it.
///
/// Paper: Min, Lu and Do, "Depth video enhancement based on weighted mode filtering", TIP 2012, for the idea that similarity of the picture weighs the
/// past; here a pixel's past counts fully or not at all (`TemporalAverage::age`).
/// Units: those of the map; ages in frames.
/// Cost: O(pixels).
/// Oracle: no library has it; RefinerTests hold its noise, its delay and its stillness.
class TemporalFilter {
public:
    /// Begins anew with the first map and where the size changed.
    void prepare(PlaneView<const float> disparity);
    /// Standard deviation of values measured in two frames running, by their median absolute difference.
    float flicker(TemporalAverage &picture, PlaneView<const float> disparity, PlaneView<const float> trust);
    /// Filters map and trust in place. Values that differ by `tolerance` are of two surfaces; the result stands still until the average has moved by
    /// more than `slack`.
    void apply(TemporalAverage &picture, PlaneView<float> disparity, PlaneView<float> trust, float tolerance, float slack);
    /// Averages a filled map, whose holes change with what surrounds them; another surface, `step` away, is taken over as soon as it was measured twice.
    void applyToFilled(TemporalAverage &picture, PlaneView<float> filled, float step);

private:
    /// Averages of earlier frames, for how many frames each was confirmed, and the value given out.
    Plane<float> averages, held;
    Plane<uint8_t> ages;
    /// The last filled map.
    Plane<float> lastFilled;
    std::vector<float> differences;
};

} // namespace rackfocus

#pragma once

#include "../Common/Plane.hpp"

#include <cstdint>

namespace rackfocus {

/// Tells from a camera's pictures whether it stands where it stood.
///
/// Paper: Lucas and Kanade, "An iterative image registration technique", IJCAI 1981: one step of translation, with an offset of brightness, of each block
/// of the picture from an anchor, the picture since when the camera has stood. It stands while a third of the blocks with texture lie within half a pixel of
/// there and look alike, and no more have moved along; blocks that show another thing tell nothing. So neither people who pass nor a change of light move
/// it, while a pan or a zoom does. What was remembered ends with the anchor.
///
/// Units: levels of luma, pixels.
/// Cost: O(pixels), every other row.
/// Oracle: pictures moved by known distances, in RefinerTests.
class StandingCamera {
public:
    enum class Answer { stands, moves, hasMoved };

    /// Takes the next picture: `moves` while it differs from the anchor, `hasMoved` when it has for some frames, and this picture is the anchor now.
    Answer next(PlaneView<const uint8_t> luma);

private:
    Plane<uint8_t> anchor;
    /// Pictures in a row that differ from the anchor.
    int moved = 0;

    bool isAtAnchor(PlaneView<const uint8_t> luma);
};

} // namespace rackfocus

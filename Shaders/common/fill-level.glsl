// Needs lens.glsl and tile.glsl. A step of the fill between two levels of coarse pixels, of all of them, or of the tiles in a list: the finest two.
layout(local_size_x_id = 1, local_size_y_id = 2) in;
layout(constant_id = 0) const int TILED = 0; // 1: of tiles, 16 threads for 4 x 4 pixels of the coarser level each
#include "level.glsl"

// The finer of the two levels.
int level() { return TILED == 1 ? 0 : lens.firstTile; }

// A thread's pixel of the coarser level.
ivec2 ownPixel() {
    int index = int(gl_LocalInvocationIndex);
    return TILED == 1 ? tilePlace(ownTile()) * (TILE / 4) + ivec2(index & 3, index >> 2) : ivec2(gl_GlobalInvocationID.xy);
}

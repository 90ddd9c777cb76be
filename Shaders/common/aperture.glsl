// Needs tile.glsl and a texel buffer `aperture`: for every tile, or for all, the ends of APERTURE_ROWS rows of the opening from -1 to 1, in radii, and how
// they change to the next; for the far layer, then for the near one, where the picture of the opening is upside down.
layout(constant_id = 2) const int SHAPED = 0; // 0: round; of the far layer 1: all tiles alike, 2: each its own; of the near layer 3, 4

vec2 endsAt(float at, uint tile) {
    int index = 0, count = 1;
    if (SHAPED == 2 || SHAPED == 4) {
        index = tileIndex(tilePlace(tile));
        count = tileCount();
    }
    if (SHAPED > 2) index += count;
    float row = clamp((at + 1.0) * (0.5 * float(APERTURE_ROWS)), 0.0, float(APERTURE_ROWS) - 0.001);
    vec4 ends = imageLoad(aperture, index * APERTURE_ROWS + int(row));
    return ends.xy + fract(row) * ends.zw;
}

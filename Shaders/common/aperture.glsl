// Needs tile.glsl and a texel buffer `aperture`: for every tile, or for all, the ends of APERTURE_ROWS rows of the opening from -1 to 1, in radii, and how
// they change to the next; for the far layer, then for the near one, where the picture of the opening is upside down.
layout(constant_id = 2) const int SHAPED = 0; // 0: round; of the far layer 1: all tiles alike, 2: each its own; of the near layer 3, 4

layout(constant_id = 3) const float RINGS = 0.0; // how much brighter and darker rings of a shaped opening are; 0: it is even
// Rings of equal area, brighter and darker in turn from the middle on: the disc with the outermost's light, and smaller discs with the differences.
const int RING_COUNT = 10;
float ringRadius(int ring) { return sqrt(float(ring) * (1.0 / float(RING_COUNT))); }
float ringWeight(int ring) { return ring == RING_COUNT ? 1.0 - RINGS : (ring & 1) == 1 ? 2.0 * RINGS : -2.0 * RINGS; }

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

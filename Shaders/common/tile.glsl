// Needs lens.glsl. The list of tiles, which begins with a word of flags for each; a software device reads a texel buffer in all lanes at once.
layout(binding = 0, r32ui) readonly uniform uimageBuffer tiles;

uint tileWord(int index) { return imageLoad(tiles, index).r; }
uint ownTile() { return tileWord(lens.firstTile + int(gl_WorkGroupID.x)); }

int tileColumns() { return (lens.work.x + TILE - 1) / TILE; }
int tileCount() { return tileColumns() * ((lens.work.y + TILE - 1) / TILE); }
int tileIndex(ivec2 place) { return place.y * tileColumns() + place.x; }
uint tileFlags(ivec2 place) { return tileWord(tileIndex(place)); }

// A tile of the list: its column, its row, and the radius of its blur where the picture does not tell one, in layer pixels. Of a run, the first
// tile and how many there are.
ivec2 tilePlace(uint tile) { return ivec2(tile & 255u, tile >> 8 & 255u); }
float tileRadius(uint tile) { return float(tile >> 16) * (1.0 / RADIUS_STEPS); }
int runLength(uint run) { return int(run >> 16); }

// The disc that draws a blur of `radius` coarsely, without what resampling blurs already; in layer pixels, as LensPlan.disc
float coarseDisc(float radius) { return sqrt(max(radius * radius - COARSE_RESAMPLING, 2.0)); }

// The same of one value for 4 x 4 layer pixels; in halves of such a pixel, as LensPlan.broadDisc
float broadDisc(float radius) { return sqrt(max(radius * radius - BROAD_RESAMPLING, 2.0)); }

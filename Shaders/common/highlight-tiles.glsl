// Needs tile.glsl, SCALE and a buffer `highlightTiles`: tiles with highlights, which the next pass draws again with more care, in a list for each
// of its kernels (HighlightTiles in Swift). Its words: for each list a count of workgroups (x, y, z, unused); for each tile, a bit for each pass that
// appended it; the lists.
const uint BY_SETUP = 1u, BY_COMPOSITE = 2u; // the latter of a tile's first part, of the others the bits above
const int PARTS = SCALE / 2 * (SCALE / 2);   // of a tile, each a workgroup of composites; an entry holds which, above its tile

// Index among the lists of setup or of composites (TileKind in Swift). Opaque tiles are drawn with near and far swapped.
int kindOf(int near) { return lens.radiusPerDisparity < 0.0 ? OPAQUE : near; }

int highlightListStart(int list) { return 4 * LISTS + tileCount() * (1 + PARTS * list); }
uint ownHighlightTile(int list) { return highlightTiles[highlightListStart(list) + int(gl_WorkGroupID.x)]; }

void appendHighlightTile(uint tile, int list, uint pass) {
    if ((atomicOr(highlightTiles[4 * LISTS + tileIndex(tilePlace(tile))], pass) & pass) != 0u) return;
    highlightTiles[highlightListStart(list) + int(atomicAdd(highlightTiles[4 * list], 1u))] = tile;
}

void appendHighlightPart(uint tile, int part, int list) { appendHighlightTile(tile | uint(part) << 16, list, BY_COMPOSITE << part); }

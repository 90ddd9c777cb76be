// Needs tile.glsl and a buffer `noted`: tiles that a pass leaves to the next to be made anew, in a list for each of its kernels (NotedTiles in Swift).
// Its words: for each list a count of workgroups (x, y, z, unused); for each tile, a bit for each pass that noted it; the lists.
const int SETUP_LISTS = 0, COMPOSITE_LISTS = 4, PLAIN_LIST = 8, LISTS = 9;
const uint BY_SETUP = 1u, BY_COMPOSITE = 2u;

// Which of the lists of setup or of composites (TileKind in Swift); opaque tiles are taken to be behind the focus, by a lens turned round.
const int OPAQUE = 3;
int kindOf(int near) { return lens.radiusPerDisparity < 0.0 ? OPAQUE : near; }

int notedList(int list) { return 4 * LISTS + tileCount() * (1 + list); }
uint notedTile(int list) { return noted[notedList(list) + int(gl_WorkGroupID.x)]; }

void note(uint tile, int list, uint pass) {
    if ((atomicOr(noted[4 * LISTS + tileIndex(tilePlace(tile))], pass) & pass) != 0u) return;
    noted[notedList(list) + int(atomicAdd(noted[4 * list], 1u))] = tile;
}

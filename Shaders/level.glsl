// Needs lens.glsl and TILED. The finer of the two levels of the fill that a pass goes between, and the size of one: each is half the one before.
int level() { return TILED == 1 ? 0 : lens.firstTile; }
ivec2 levelSize(int level) { return (lens.work / 2 + (1 << level) - 1) >> level; }

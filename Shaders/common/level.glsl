// Needs lens.glsl. The size of a level of coarse pixels, each half the one before.
ivec2 levelSize(int level) { return (lens.work / 2 + (1 << level) - 1) >> level; }

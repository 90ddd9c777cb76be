// Specialisation constants that several passes share; the values come from LensConstants in Swift, so none is given here.
layout(constant_id = 32) const int TILE = 0;                  // side of a tile, layer pixels
layout(constant_id = 33) const float SLIGHT = 0.0;            // largest radius that counts as sharp, pixels of the picture
layout(constant_id = 34) const float RESAMPLING = 0.0;        // squared radii that resampling blurs already: of fine discs, layer pixels
layout(constant_id = 35) const float COARSE_RESAMPLING = 0.0; // of coarse ones
layout(constant_id = 36) const float BROAD_RESAMPLING = 0.0;  // of broad ones, halves of 4 layer pixels
layout(constant_id = 37) const float ROW_RESAMPLING = 0.0;    // and what sums over pairs of rows blur more in height
layout(constant_id = 38) const float GATHERED_RADIUS = 0.0;   // least radius that is gathered, layer pixels
layout(constant_id = 39) const float EXACT_REACH = 0.0;       // how far discs with fractional edges, and with whole ones,
layout(constant_id = 40) const float WHOLE_REACH = 0.0;       // extend beyond the radius of their bucket, layer pixels
layout(constant_id = 41) const int APERTURE_ROWS = 0;         // rows of the table of the aperture's shape
layout(constant_id = 42) const float RADIUS_STEPS = 0.0;      // steps of a tile's radius in a layer pixel
layout(constant_id = 43) const int SETUP_LISTS = 0;           // first of HighlightTiles' lists for setup, for composites,
layout(constant_id = 44) const int COMPOSITE_LISTS = 0;
layout(constant_id = 45) const int UNIFORM_LIST = 0; // that for uniform tiles, and how many there are
layout(constant_id = 46) const int LISTS = 0;
layout(constant_id = 47) const int OPAQUE = 0;        // TileKind.opaque
layout(constant_id = 48) const float RIM_SLOPE = 0.0; // share of a highlight that a pixel loses for each darker neighbour of eight,
layout(constant_id = 49) const float RIM_LEAST = 0.0; // and the least share it keeps

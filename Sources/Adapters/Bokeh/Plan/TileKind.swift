/// Relation of a tile to the near layer, which decides how it is made; `HighlightTiles` has lists in the same order.
enum TileKind: Int, CaseIterable {
    /// No near layer reaches it; the blurred one does; something in it is in front.
    case unreached, reached, inFront
    /// So deep inside something near that nothing it hides is seen: made as if behind the focus, with near and far swapped.
    case opaque

    /// Constant `NEAR` of the shaders.
    var near: Int { self == .opaque ? TileKind.unreached.rawValue : rawValue }
}

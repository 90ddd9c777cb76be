/// What is in front of a tile, which says how it is made; `noted.glsl` has the same order.
enum TileKind: Int, CaseIterable {
    /// No near layer reaches it; the blurred one does; something in it is in front.
    case unreached, reached, inFront
    /// So deep inside something near that nothing it hides is seen: as behind the focus of a lens turned round.
    case opaque

    /// Which of the kernels for the first three makes it.
    var kernel: Int { self == .opaque ? 0 : rawValue }
}

/// Properties of picture and lens for which the passes are specialised.
struct LensVariant: Hashable {
    let format: PictureFormat
    let scale: Int
    /// The disparity map has the picture's size.
    let isDirect: Bool
    let shape: Shape
    /// Contrast of the rings in a disc; 0 where it is even.
    let onionRings: Float
    /// Rows are summed by many threads each.
    let hasWideSums: Bool
    /// Nil where the corners stay as light as they are.
    let vignetting: Vignetting?
    /// The picture grows with the focus disparity.
    let isBreathing: Bool
    /// Grain of the source for what was blurred.
    let hasGrain: Bool

    /// Outline of the opening: a circle, one shape for all tiles, or one for each.
    enum Shape: Int { case round, uniform, perTile }

    init(
        _ geometry: LensGeometry, _ shape: ApertureShape?, hasWideSums: Bool, onionRings: Float = 0, vignetting: Vignetting? = nil,
        isBreathing: Bool = false,
        hasGrain: Bool = false
    ) {
        format = geometry.format
        scale = geometry.scale
        isDirect = geometry.isDirect
        self.shape = shape.map { $0.tiles == 1 ? .uniform : .perTile } ?? .round
        self.onionRings = onionRings
        self.hasWideSums = hasWideSums
        self.vignetting = vignetting
        self.isBreathing = isBreathing
        self.hasGrain = hasGrain
    }

    /// Workgroups a tile, of composites.
    var compositeParts: Int { (scale / 2) * (scale / 2) }
}

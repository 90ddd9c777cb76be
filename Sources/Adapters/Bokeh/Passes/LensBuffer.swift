/// Buffer that passes of the lens read or write, by name. A pass that needs one of its own declares it in its file.
struct LensBuffer: Hashable, Sendable {
    /// `far`: in focus and behind it; `near`: in front of it.
    enum Layer: Sendable { case far, near }
    typealias Size = @Sendable (LensGeometry) -> (width: Int, height: Int)

    let name: String
    /// Nil for what belongs to neither alone.
    private(set) var layer: Layer?
    /// Of a pyramid, 0 the finest.
    private(set) var level = 0
    let texels: TexelFormat
    /// Texels of it; nil for buffers that others own.
    let size: Size?

    init(_ name: String, of layer: Layer? = nil, level: Int = 0, _ texels: TexelFormat, size: Size?) {
        self.name = name
        self.layer = layer
        self.level = level
        self.texels = texels
        self.size = size
    }

    /// The same of the other layer.
    var swappingNearAndFar: LensBuffer {
        var result = self
        result.layer = layer.map { $0 == .far ? .near : .far }
        return result
    }

    static func == (a: Self, b: Self) -> Bool { a.name == b.name && a.layer == b.layer && a.level == b.level }

    func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(layer)
        hasher.combine(level)
    }
}

extension LensBuffer {
    /// `LensPlan.tiles`, the lists of `HighlightTiles` and `ApertureShape.entries`.
    static let tiles = LensBuffer("tiles", .uint1, size: nil)
    static let highlightTiles = LensBuffer("highlight tiles", .uint1, size: nil)
    static let aperture = LensBuffer("aperture", .float4, size: nil)
    /// `IsolatedLights.weights`.
    static let lightWeights = LensBuffer("light weights", .float1, size: nil)
    /// Of each frame; see `LensBuffers`.
    static let picture = LensBuffer("picture", .uint1, size: nil)
    static let disparity = LensBuffer("disparity", .float4, size: nil)
    static let result = LensBuffer("result", .uint1, size: nil)

    /// Light times coverage, and coverage, of two pixels in a row, as halves. Of whole tiles: sums read on at the end of the last row.
    static func light(_ layer: Layer) -> LensBuffer { LensBuffer("light", of: layer, .uint4) { ($0.columns * LensGeometry.tile / 2, $0.workHeight) } }
    /// The blur's radius at 2 × 2 pixels as halves, layer pixels.
    static func radii(_ layer: Layer) -> LensBuffer { LensBuffer("radii", of: layer, .uint2, size: coarse) }
    /// Mean radius of 2 × 2 pixels, layer pixels.
    static func coarseRadius(_ layer: Layer) -> LensBuffer { LensBuffer("coarse radius", of: layer, .float1, size: coarse) }
    /// The layer blurred, as halves: a value for each pixel, and one for 2 × 2.
    static func blur(_ layer: Layer) -> LensBuffer { LensBuffer("blur", of: layer, .uint2) { ($0.workWidth, $0.workHeight) } }
    static func coarseBlur(_ layer: Layer) -> LensBuffer { LensBuffer("coarse blur", of: layer, .uint2, size: coarse) }
    /// A picture's pixels' shares of the near layer (positive) or the far one, in 127ths, of 4 × 4 pixels.
    static let marks = LensBuffer("marks", .uint4) { ($0.paddedWidth / 4, $0.paddedHeight / 4) }
    /// Light, its weight and radii that the near layer does not hide, completed by the fill: each level has half the size of the one before.
    static func pyramid(_ level: Int) -> LensBuffer { LensBuffer("pyramid", level: level, .uint4) { $0.pyramidLevels[level] } }
    /// The hidden scene behind the near layer as halves, of two pixels in a row, and of 2 × 2.
    static let fill = LensBuffer("fill", .uint4) { ($0.coarseWidth, $0.workHeight) }
    static let coarseFill = LensBuffer("coarse fill", .uint2, size: coarse)
    /// Finished coarse pixels of uniform tiles: in the picture's own codes, and as light.
    static let coded = LensBuffer("coded", .uint2, size: coarse)
    static let finished = LensBuffer("finished", .uint2, size: coarse)

    /// One texel for 2 × 2 layer pixels, and for 4 × 4.
    static let coarse: Size = { ($0.coarseWidth, $0.coarseHeight) }
    static let broad: Size = { (($0.coarseWidth + 1) / 2, ($0.coarseHeight + 1) / 2) }
}

/// One compute pass of the lens as a value. `LensStage.all` has them in their order; `LensLayers` makes their pipelines and records them.
struct LensPass {
    /// File name of the shader, without extension.
    let shader: String
    /// Buffers by their names in the shader.
    private(set) var reads: [String: LensBuffer]
    private(set) var writes: [String: LensBuffer]
    /// Specialisation constants of its own; `LensConstants` has the others.
    let constants: [String: ShaderConstant]
    let grid: Grid
    /// Whether near and far change places: for opaque tiles, which the near layer alone makes.
    private(set) var swapsNearAndFar = false
    /// Whether a frame needs it at all; a list may be empty nevertheless.
    private(set) var isNeeded: (LensWork) -> Bool = { _ in true }

    /// Workgroups of a dispatch.
    enum Grid {
        /// `parts` for each entry of a list of the plan, in which a tile stands once at most.
        case tiles(parts: Int = 1, (LensPlan) -> Range<Int>)
        /// 8 × 8 pixels each, over a level of the pyramid; the push constant `firstTile` is the level below it.
        case pyramid(level: Int)
        /// A list of `HighlightTiles`, whose length the device knows.
        case highlightTiles(list: Int)

        /// Whether a frame has no work for it for certain.
        func isEmpty(_ plan: LensPlan) -> Bool { if case .tiles(_, let list) = self { list(plan).isEmpty } else { false } }
    }

    init(
        _ shader: String, _ grid: Grid, reads: [String: LensBuffer] = [:], writes: [String: LensBuffer], constants: [String: ShaderConstant] = [:]
    ) {
        self.shader = shader
        self.grid = grid
        self.reads = reads
        self.writes = writes
        self.constants = constants
        self.reads["tiles"] = .tiles
    }

    /// The same where a frame has what `isNeeded` says.
    func onlyWhere(_ isNeeded: @escaping (LensWork) -> Bool) -> LensPass {
        var result = self
        result.isNeeded = isNeeded
        return result
    }

    /// The same over the tiles of `kind`: with near and far swapped where they are opaque.
    func drawing(_ kind: TileKind) -> LensPass {
        guard kind == .opaque else { return self }
        var result = self
        result.swapsNearAndFar = true
        result.reads = reads.mapValues(\.swappingNearAndFar)
        result.writes = writes.mapValues(\.swappingNearAndFar)
        return result
    }
}

/// Needs of one frame, by which passes are chosen.
struct LensWork {
    let plan: LensPlan
    /// Whether clipped lights are expanded.
    let expandsHighlights: Bool
    /// Whether noise was measured that what is blurred gets.
    let hasGrain: Bool
}

/// Treatment of light brighter than white by a pass: most tiles have none, and drawing all of them with care costs half as much again.
enum HighlightRound: Int, CaseIterable {
    /// There is none in the frame; tiles with some are appended to `HighlightTiles`; those tiles are drawn with care.
    case without, finding, withHighlights
}

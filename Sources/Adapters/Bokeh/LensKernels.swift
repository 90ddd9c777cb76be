/// The compiled passes of the lens for one picture format and scale.
final class LensKernels {
    /// What the passes are specialised for.
    struct Variant: Hashable {
        let format: PictureFormat
        let scale: Int
        /// The disparity map has the picture's size.
        let isDirect: Bool
        /// 0: a round opening, 1: one shape for all tiles, 2: one for each.
        let shape: Int
        /// Rows are summed by many threads each.
        let hasWideSums: Bool

        init(_ geometry: LensGeometry, _ shape: ApertureShape?, hasWideSums: Bool) {
            self.hasWideSums = hasWideSums
            format = geometry.format
            scale = geometry.scale
            isDirect = geometry.isDirect
            self.shape = shape.map { $0.tiles == 1 ? 1 : 2 } ?? 0
        }
    }

    /// Setup of tiles far out of focus everywhere, and such where the fill starts from; the second look for highlights.
    let farSetups: [[VulkanKernel]]
    /// Setup of other tiles: without the near layer, where the fill starts from, and with something in front.
    let setups: [Rounds]
    /// Of opaque tiles beside the fill.
    let unknown: VulkanKernel
    /// The fill's first step down and last step up, of tiles.
    let firstPull: VulkanKernel
    let pull: VulkanKernel
    let push: VulkanKernel
    let lastPush: VulkanKernel
    /// For tiles that the near layer reaches, and with something in front.
    let resolves: [VulkanKernel]
    /// Of rows, for discs at layer size, and of pairs of rows, for coarse ones.
    let farSums: [VulkanKernel]
    let nearSums: [VulkanKernel]
    /// Workgroups for a row of tiles.
    let sumGroups: Int
    /// One per bucket of `LensPlan`.
    let farDiscs: Discs
    let nearDiscs: Discs
    /// What is gathered, coarsely and broadly, and what is broad made coarse; only with a round opening.
    let gatherSources: VulkanKernel
    let broadSources: VulkanKernel
    let gather: VulkanKernel
    let gatherBroad: VulkanKernel
    let broaden: VulkanKernel
    let spread: VulkanKernel
    let blend: VulkanKernel
    /// For tiles unreached, reached, and with something in front; the second where there are lights.
    let codes: [[VulkanKernel]]
    let composites: [Rounds]
    let compositePlain: Rounds

    /// A pass that draws lights with more care, where there are any.
    struct Rounds {
        /// Where there are none, and where tiles with some are noted.
        let first: [VulkanKernel]
        /// Makes the tiles noted anew.
        let again: VulkanKernel

        init(_ kernel: (_ round: Int) throws -> VulkanKernel) rethrows {
            first = try [kernel(0), kernel(1)]
            again = try kernel(2)
        }
    }

    /// Discs at layer size, and coarse ones.
    struct Discs {
        let fine: [VulkanKernel]
        let coarse: [VulkanKernel]
    }

    init(_ context: VulkanContext, _ variant: Variant) throws {
        let scale = variant.scale
        func kernel(_ shader: String, _ bindings: [VulkanKernel.Binding], _ constants: [Int] = []) throws -> VulkanKernel {
            try VulkanKernel(
                context, shader: shader, bindings: bindings, constants: constants.map(Int32.init), coding: variant.format,
                pushBytes: MemoryLayout<LensParameters>.size)
        }
        let direct = variant.isDirect ? 1 : 0
        func reads(_ count: Int) -> [VulkanKernel.Binding] { Array(repeating: .texels, count: count) }
        func writes(_ count: Int) -> [VulkanKernel.Binding] { Array(repeating: .buffer, count: count) }
        func discs(_ shape: Int) throws -> Discs {
            func pass(_ name: String, _ buckets: DiscBuckets) throws -> [VulkanKernel] {
                try buckets.radii.enumerated().map { index, radius in
                    try kernel(name, reads(3) + writes(1) + reads(1), [radius, buckets.isExact(index, isRound: shape == 0) ? 1 : 0, shape])
                }
            }
            return try Discs(fine: pass("disc", .fine), coarse: pass("disc-coarse", .coarse))
        }
        let (whole, tiled) = ([0, 8, 8], [1, 16, 1])
        let sources = reads(2) + [.buffer] + reads(1)
        farSetups = try (0...1).map { lights in
            try (0...1).map { try kernel("setup-far", sources + writes(5), [scale, direct, $0, lights]) }
        }
        setups = try (0...2).map { near in
            try Rounds { try kernel("setup", sources + writes(8), [scale, direct, near, $0]) }
        }
        unknown = try kernel("fill-unknown", reads(1) + writes(1))
        firstPull = try kernel("fill-pull", reads(2) + writes(1), tiled)
        pull = try kernel("fill-pull", reads(2) + writes(1), whole)
        push = try kernel("fill-push", reads(3) + writes(1), whole)
        lastPush = try kernel("fill-push", reads(3) + writes(1), tiled)
        resolves = try (0...1).map { try kernel("fill-resolve", reads(6) + writes(7), [scale, $0]) }
        let sums = variant.hasWideSums ? "row-sums-wide" : "row-sums"
        farSums = try [1, 0].map { try kernel(sums, reads(2) + writes(2), [0, $0]) }
        nearSums = try [1, 0].map { try kernel(sums, reads(2) + writes(2), [1, $0]) }
        sumGroups = variant.hasWideSums ? LensGeometry.tile / 2 : 1
        farDiscs = try discs(variant.shape)
        nearDiscs = variant.shape == 0 ? farDiscs : try discs(variant.shape + 2)
        gatherSources = try kernel("gather-sources", reads(3) + writes(1))
        broadSources = try kernel("broad-sources", reads(3) + writes(2))
        gather = try kernel("gather", reads(3) + writes(1), [0])
        gatherBroad = try kernel("gather", reads(3) + writes(1), [1])
        broaden = try kernel("broaden", reads(2) + writes(1))
        spread = try kernel("spread", reads(4) + writes(1), [0])
        blend = try kernel("spread", reads(4) + writes(1), [1])
        codes = try (0...1).map { lights in try (0...2).map { try kernel("code", reads(5) + writes(2), [$0, lights, scale]) } }
        let drawn = reads(2) + writes(1)
        composites = try (0...2).map { near in try Rounds { try kernel("composite", drawn + reads(4) + writes(1), [scale, near, $0]) } }
        compositePlain = try Rounds { try kernel("composite-far", drawn + reads(2) + writes(1), [scale, $0]) }
    }
}

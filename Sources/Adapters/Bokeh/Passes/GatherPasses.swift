extension LensPass {
    /// Sources of the gather, one for 2 × 2 layer pixels; `gather-sources`.
    static var gatherSources: LensPass {
        LensPass(
            "gather-sources", .tiles(\.far.sources), reads: ["layer": .light(.far), "radius": .coarseRadius(.far)],
            writes: ["sources": .gatherSources])
    }

    /// Coarse pixels that gather their neighbours where the far layer's depth jumps; `gather`.
    static var gather: LensPass {
        LensPass(
            "gather", .tiles(\.far.gathered), reads: ["sources": .gatherSources, "radius": .coarseRadius(.far)],
            writes: ["blurredLayer": .coarseBlur(.far)], constants: ["LEVEL": 0])
    }

    /// Sources of the broad gather, one for 4 × 4 layer pixels; `gather-sources-broad`.
    static var gatherSourcesBroad: LensPass {
        LensPass(
            "gather-sources-broad", .tiles(\.far.broadSources), reads: ["sources": .gatherSources, "radius": .coarseRadius(.far)],
            writes: ["broadSources": .broadSources, "broadRadius": .broadRadius])
    }

    /// The gather where all discs are large, one value for 4 × 4 layer pixels; `gather`.
    static var gatherBroad: LensPass {
        LensPass(
            "gather", .tiles(\.far.broad), reads: ["sources": .broadSources, "radius": .broadRadius], writes: ["blurredLayer": .broadGather],
            constants: ["LEVEL": 1])
    }

    /// The broad gather as coarse pixels; `upsample-broad`.
    static var upsampleBroad: LensPass {
        LensPass("upsample-broad", .tiles(\.far.upsampledBroad), reads: ["broad": .broadGather], writes: ["blurredLayer": .coarseBlur(.far)])
    }
}

extension LensBuffer {
    /// Light as halves, the disc's radius and its inverse, of 2 × 2 pixels of the far layer, and of 4 × 4.
    static let gatherSources = LensBuffer("gather sources", .uint4, size: coarse)
    static let broadSources = LensBuffer("broad sources", .uint4, size: broad)
    /// Radius of the blur in halves of 4 layer pixels, and the light gathered for 4 × 4.
    static let broadRadius = LensBuffer("broad radius", .float1, size: broad)
    static let broadGather = LensBuffer("broad gather", .uint2, size: broad)
}

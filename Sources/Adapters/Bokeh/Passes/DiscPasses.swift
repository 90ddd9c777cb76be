extension LensPass {
    /// Means over discs, a pass for each of `DiscBuckets`, at layer size and coarsely; `disc`, `disc-small`, `disc-coarse`.
    static func discs(_ layer: LensBuffer.Layer, _ variant: LensVariant) -> [LensPass] {
        func passes(
            _ shader: String, _ buckets: DiscBuckets, reads: [String: LensBuffer], writes: LensBuffer,
            _ list: @escaping (LensPlan.Discs, Int) -> Range<Int>
        ) -> [LensPass] {
            buckets.radii.enumerated().map { index, radius in
                if buckets.isDirect(index, isRound: variant.shape == .round) {
                    return LensPass(
                        "disc-small", .tiles { list($0.discs(layer), index) }, reads: ["layer": .light(layer), "radii": .radii(layer)],
                        writes: ["blurredLayer": writes],
                        constants: ["RADIUS": ShaderConstant(radius), "FLAGGED": ShaderConstant(layer == .near)])
                }
                return LensPass(
                    shader, .tiles { list($0.discs(layer), index) }, reads: reads, writes: ["blurredLayer": writes],
                    constants: [
                        "RADIUS": ShaderConstant(radius), "EXACT": ShaderConstant(buckets.isExact(index, isRound: variant.shape == .round)),
                        "SHAPED": ShaderConstant(shaped), "RINGS": ShaderConstant(variant.onionRings),
                    ])
            }
        }
        // The near layer's shapes follow those of the far one, upside down.
        let shaped = variant.shape == .round ? 0 : variant.shape.rawValue + (layer == .near ? 2 : 0)
        return passes(
            "disc", .fine, reads: ["sums": .sums(layer), "radii": .radii(layer), "aperture": .aperture], writes: .blur(layer), { $0.fine[$1] })
            + passes(
                "disc-coarse", .coarse, reads: ["sums": .pairs(layer), "radius": .coarseRadius(layer), "aperture": .aperture],
                writes: .coarseBlur(layer), { $0.coarse[$1] })
    }
}

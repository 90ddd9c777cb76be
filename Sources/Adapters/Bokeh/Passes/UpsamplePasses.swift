extension LensPass {
    /// Coarse discs at layer size, where something finer lies beside them; `upsample-coarse`.
    static func upsampleCoarse(_ layer: LensBuffer.Layer) -> LensPass { upsampleCoarse(layer, blends: false) { $0.discs(layer).upsampled } }

    /// Gathered pixels at layer size where some of the tile's discs are fine.
    static var blendCoarse: LensPass { upsampleCoarse(.far, blends: true, \.far.blended) }

    private static func upsampleCoarse(_ layer: LensBuffer.Layer, blends: Bool, _ list: @escaping (LensPlan) -> Range<Int>) -> LensPass {
        LensPass(
            "upsample-coarse", .tiles(list), reads: ["coarse": .coarseBlur(layer), "radii": .radii(layer), "fineDiscs": .blur(layer)],
            writes: ["blurredLayer": .blur(layer)], constants: ["BLEND": ShaderConstant(blends)])
    }
}

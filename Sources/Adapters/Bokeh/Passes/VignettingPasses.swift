/// Loss of light towards the corners: of the cos⁴ law, and by a cat's eye.
struct Vignetting: Hashable {
    /// Squared tangent of the field angle in a corner.
    let corner: Float
    /// Distance in a corner of the two circles that the opening lies in, radii.
    let catsEye: Float

    /// Nil where the options want none.
    init?(_ options: BokehOptions, _ geometry: LensGeometry) {
        guard let focalLength = options.vignetting else { return nil }
        let aspect = Double(geometry.height) / Double(geometry.width)
        corner = Float(18 * 18 * (1 + aspect * aspect) / (focalLength * focalLength))
        catsEye = Float(options.catsEye)
    }
}

extension LensPass {
    /// Finished tiles, in place, and sharp ones from the picture; `vignetting`.
    static func vignetting(_ variant: LensVariant) -> [LensPass] {
        guard let vignetting = variant.vignetting else { return [] }
        func pass(over picture: LensBuffer, _ tiles: @escaping (LensPlan) -> Range<Int>) -> LensPass {
            LensPass(
                "vignetting", .tiles(parts: variant.compositeParts, tiles), reads: ["picture": picture], writes: ["result": .result],
                constants: ["CORNER": ShaderConstant(vignetting.corner), "CATS_EYE": ShaderConstant(vignetting.catsEye)])
        }
        let mixed = TileKind.allCases.map { kind in pass(over: .result) { $0.mixedResolution[kind.rawValue].all } }
        return mixed + [pass(over: .result, \.uniformCoarse.all), pass(over: variant.isBreathing ? .result : .picture, \.sharp)]
    }
}

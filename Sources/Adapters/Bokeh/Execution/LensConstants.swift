/// Specialisation constants that the shaders of the lens share (`constants.glsl`), by name: this is where Swift and GLSL have the same number.
enum LensConstants {
    /// Share of a highlight that a pixel loses for each darker neighbour of eight, and the least share it keeps: at a light's rim eight bits do not
    /// tell how much of the pixel shines.
    static let rimSlope: Float = 0.157
    static let rimLeast: Float = 0.1

    /// All of a lens for pictures of `format`.
    static func all(_ variant: LensVariant) -> [String: ShaderConstant] {
        let own: [String: ShaderConstant] = [
            "SCALE": ShaderConstant(variant.scale), "DIRECT": ShaderConstant(variant.isDirect), "TILE": ShaderConstant(LensGeometry.tile),
            "SLIGHT": ShaderConstant(TileRadii.slight), "RESAMPLING": ShaderConstant(LensPlan.resampling),
            "COARSE_RESAMPLING": ShaderConstant(LensPlan.coarseResampling), "BROAD_RESAMPLING": ShaderConstant(LensPlan.broadResampling),
            "ROW_RESAMPLING": ShaderConstant(LensPlan.rowResampling), "GATHERED_RADIUS": ShaderConstant(TileRadii.gathered),
            "EXACT_REACH": ShaderConstant(DiscBuckets.exactReach), "WHOLE_REACH": ShaderConstant(DiscBuckets.wholeReach),
            "APERTURE_ROWS": ShaderConstant(ApertureShape.rows), "RADIUS_STEPS": ShaderConstant(LensPlan.radiusSteps),
            "SETUP_LISTS": ShaderConstant(HighlightTiles.setups.lowerBound),
            "COMPOSITE_LISTS": ShaderConstant(HighlightTiles.composites.lowerBound), "UNIFORM_LIST": ShaderConstant(HighlightTiles.uniformComposite),
            "LISTS": ShaderConstant(HighlightTiles.lists), "OPAQUE": ShaderConstant(TileKind.opaque.rawValue),
            "RIM_SLOPE": ShaderConstant(rimSlope), "RIM_LEAST": ShaderConstant(rimLeast),
        ]
        return own.merging(variant.format.constants) { own, _ in own }
    }
}

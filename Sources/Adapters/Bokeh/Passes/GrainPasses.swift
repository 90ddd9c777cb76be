extension LensPass {
    /// Grain for what was blurred, in place; `grain`.
    static func grain(_ variant: LensVariant) -> [LensPass] {
        guard variant.hasGrain else { return [] }
        func pass(near: Int, all: Bool, _ tiles: @escaping (LensPlan) -> Range<Int>) -> LensPass {
            LensPass(
                "grain", .tiles(parts: variant.compositeParts, tiles),
                reads: [
                    "picture": .result, "marks": .marks, "nearBlur": .blur(.near), "grainLevels": .grainLevels, "grainField": .grainField,
                ], writes: ["result": .result], constants: ["NEAR": ShaderConstant(near), "ALL": ShaderConstant(all)])
        }
        let mixed = TileKind.allCases.map { kind in
            pass(near: kind.near, all: kind == .opaque) { $0.mixedResolution[kind.rawValue].all }
        }
        return mixed + [pass(near: 0, all: true, \.uniformCoarse.all)]
    }
}

extension LensBuffer {
    /// `SourceNoise.deviations` and `GrainField.values`.
    static let grainLevels = LensBuffer("grain levels", .float4, size: nil)
    static let grainField = LensBuffer("grain field", .uint1, size: nil)
}

extension LensPass {
    /// Finished coarse pixels of uniform tiles and those beside; `encode-coarse`.
    static var encodeCoarse: [LensPass] {
        [false, true].flatMap { rims in
            TileKind.allCases.map { kind in
                LensPass(
                    "encode-coarse", .tiles { rims ? $0.coarseFinished[kind.rawValue].lit : $0.coarseFinished[kind.rawValue].unlit },
                    reads: [
                        "farBlur": .coarseBlur(.far), "nearBlur": .coarseBlur(.near), "coarseFill": .coarseFill, "pyramid": .pyramid(0),
                    ], writes: ["coded": .coded, "finished": .finished], constants: ["NEAR": ShaderConstant(kind.near), "RIMS": ShaderConstant(rims)]
                )
                .drawing(kind)
            }
        }
    }

    /// Uniform tiles from finished coarse pixels, `composite-uniform`, and the others from layers over the sharp picture, `composite`.
    static func composites(_ round: HighlightRound, _ variant: LensVariant) -> [LensPass] {
        func grid(_ list: Int, _ tiles: @escaping (LensPlan) -> LensPlan.Finished) -> Grid {
            round == .withHighlights
                ? .highlightTiles(list: list) : .tiles(parts: variant.compositeParts) { round == .without ? tiles($0).unlit : tiles($0).lit }
        }
        let writes: [String: LensBuffer] = ["result": .result, "highlightTiles": .highlightTiles]
        let rims = ShaderConstant(round.rawValue)
        let uniform = LensPass(
            "composite-uniform", grid(HighlightTiles.uniformComposite, \.uniformCoarse),
            reads: ["picture": .picture, "coded": .coded, "finished": .finished], writes: writes, constants: ["RIMS": rims])
        let mixed = TileKind.allCases.map { kind in
            LensPass(
                "composite", grid(HighlightTiles.composites.lowerBound + kind.rawValue) { $0.mixedResolution[kind.rawValue] },
                reads: ["picture": .picture, "marks": .marks, "farBlur": .blur(.far), "nearBlur": .blur(.near), "fill": .fill], writes: writes,
                constants: ["NEAR": ShaderConstant(kind.near), "RIMS": rims]
            )
            .drawing(kind)
        }
        return ([uniform] + mixed).map { $0.onlyWhere { round != .withHighlights || $0.plan.hasLit } }
    }
}

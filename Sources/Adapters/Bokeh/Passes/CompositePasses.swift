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
        func grid(_ list: Int, isWhole: Bool = false, _ tiles: @escaping (LensPlan) -> LensPlan.Finished) -> Grid {
            guard round != .withHighlights else { return .highlightTiles(list: list) }
            return .tiles(parts: variant.compositeParts) {
                let tiles = tiles($0)
                return round == .without ? isWhole ? tiles.unlitWhole : tiles.unlit : isWhole ? tiles.litWhole : tiles.lit
            }
        }
        let writes: [String: LensBuffer] = ["result": .result, "highlightTiles": .highlightTiles]
        let rims = ShaderConstant(round.rawValue)
        let uniform = LensPass(
            "composite-uniform", grid(HighlightTiles.uniformComposite, \.uniformCoarse),
            reads: ["picture": .picture, "coded": .coded, "finished": .finished], writes: writes, constants: ["RIMS": rims])
        // The far layer makes opaque tiles whole, and some of those that nothing near reaches.
        let kinds: [(TileKind, isWhole: Bool)] = [(.unreached, false), (.reached, false), (.inFront, false), (.opaque, true)]
        let mixed = (kinds + (round == .withHighlights ? [] : [(.unreached, true)])).map { kind, isWhole in
            LensPass(
                "composite", grid(HighlightTiles.composites.lowerBound + kind.rawValue, isWhole: isWhole) { $0.mixedResolution[kind.rawValue] },
                reads: ["picture": .picture, "marks": .marks, "farBlur": .blur(.far), "nearBlur": .blur(.near), "fill": .fill], writes: writes,
                constants: ["NEAR": ShaderConstant(kind.near), "RIMS": rims, "WHOLE": ShaderConstant(isWhole)]
            )
            .drawing(kind)
        }
        return ([uniform] + mixed).map { $0.onlyWhere { round != .withHighlights || $0.plan.hasLit } }
    }
}

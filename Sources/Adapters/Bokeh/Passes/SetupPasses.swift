extension LensPass {
    /// Splits tiles that are far out of focus everywhere; `setup-far`.
    static var setupsFar: [LensPass] {
        let lists: [(TileKind, (LensPlan) -> Range<Int>)] = [
            (.unreached, \.farWithoutFill), (.reached, \.farWithFill), (.opaque, \.opaqueUniform),
        ]
        return [false, true].flatMap { expands in
            lists.map { kind, list in
                LensPass(
                    "setup-far", .tiles(list), reads: sharp,
                    writes: [
                        "farLayer": .light(.far), "farCoarseRadius": .coarseRadius(.far), "pyramid": .pyramid(0), "marks": .marks,
                        "highlightTiles": .highlightTiles,
                    ], constants: ["FILL": ShaderConstant(kind.near), "LIGHTS": ShaderConstant(expands)]
                )
                .drawing(kind).onlyWhere { $0.expandsHighlights == expands }
            }
        }
    }

    /// Splits the other tiles into a far and a near layer; `setup`.
    static func setups(_ round: HighlightRound) -> [LensPass] {
        let lists: [(LensPlan) -> Range<Int>] = [\.mixedWithoutFill, \.mixedWithFill, \.inFront, \.opaqueMixed]
        return zip(TileKind.allCases, lists).map { kind, list in
            LensPass(
                "setup", round == .withHighlights ? .highlightTiles(list: HighlightTiles.setups.lowerBound + kind.rawValue) : .tiles(list),
                reads: sharp,
                writes: [
                    "marks": .marks, "farLayer": .light(.far), "farRadii": .radii(.far), "nearLayer": .light(.near), "nearRadii": .radii(.near),
                    "pyramid": .pyramid(0), "farCoarseRadius": .coarseRadius(.far), "highlightTiles": .highlightTiles,
                ], constants: ["NEAR": ShaderConstant(kind.near), "LIGHTS": ShaderConstant(round.rawValue)]
            )
            .drawing(kind).onlyWhere { $0.expandsHighlights == (round != .without) }
        }
    }

    private static var sharp: [String: LensBuffer] { ["picture": .picture, "disparity": .disparity, "lightWeights": .lightWeights] }
}

extension LensPass {
    /// Splits tiles that are out of focus everywhere; `setup-far`.
    static var setupsFar: [LensPass] {
        let lists: [(TileKind, fine: Bool, (LensPlan) -> Range<Int>)] = [
            (.unreached, false, \.farWithoutFill), (.reached, false, \.farWithFill), (.opaque, false, \.opaqueUniform),
            (.unreached, true, \.wholeWithoutFill), (.reached, true, \.wholeWithFill), (.opaque, true, \.opaqueMixed),
        ]
        return [false, true].flatMap { expands in
            lists.map { kind, fine, list in
                LensPass(
                    "setup-far", .tiles(list), reads: sharp,
                    writes: [
                        "farLayer": .light(.far), "farCoarseRadius": .coarseRadius(.far), "pyramid": .pyramid(0), "marks": .marks,
                        "highlightTiles": .highlightTiles, "farRadii": .radii(.far),
                    ], constants: ["FILL": ShaderConstant(kind.near), "LIGHTS": ShaderConstant(expands), "FINE": ShaderConstant(fine)]
                )
                .drawing(kind).onlyWhere { $0.expandsHighlights == expands }
            }
        }
    }

    /// Splits the other tiles into a far and a near layer; `setup`.
    static func setups(_ round: HighlightRound) -> [LensPass] {
        let lists: [(TileKind, (LensPlan) -> Range<Int>)] = [
            (.unreached, \.mixedWithoutFill), (.reached, \.mixedWithFill), (.inFront, \.inFront), (.opaque, { _ in 0..<0 }),
        ]
        return lists.filter { kind, _ in kind != .opaque || round == .withHighlights }.map { kind, list in
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

extension LensPass {
    /// Clears the fill in opaque tiles beside it; `fill-unknown`.
    static var fillUnknown: LensPass { LensPass("fill-unknown", .tiles(\.fillUnknown), writes: ["pyramid": .pyramid(0)]) }

    /// One step down from level `level`, the finest by tiles; `fill-pull`.
    static func fillPull(_ level: Int) -> LensPass {
        LensPass(
            "fill-pull", level == 0 ? .tiles(\.withFill) : .pyramid(level: level), reads: ["fine": .pyramid(level)],
            writes: ["pyramid": .pyramid(level + 1)], constants: workgroup(isTiled: level == 0))
    }

    /// One step up to level `level`, the finest by tiles that the near layer reaches; `fill-push`.
    static func fillPushes(_ level: Int) -> [LensPass] {
        let grids: [Grid] = level == 0 ? [.tiles(\.reached[0]), .tiles(\.reached[1])] : [.pyramid(level: level)]
        return grids.map {
            LensPass(
                "fill-push", $0, reads: ["coarse": .pyramid(level + 1), "shownBefore": .pyramid(level)], writes: ["pyramid": .pyramid(level)],
                constants: workgroup(isTiled: level == 0))
        }
    }

    /// Completes the far layer behind the near one; `fill-resolve`, for tiles without anything in front and with.
    static var fillResolves: [LensPass] {
        [0, 1].map { hides in
            LensPass(
                "fill-resolve", .tiles { $0.reached[hides] },
                reads: [
                    "pyramid": .pyramid(0), "farLayer": .light(.far), "nearLayer": .light(.near), "farRadii": .radii(.far),
                    "nearRadii": .radii(.near),
                ],
                writes: [
                    "newFarLayer": .light(.far), "newFarRadii": .radii(.far), "newNearRadii": .radii(.near), "fill": .fill,
                    "farCoarseRadius": .coarseRadius(.far), "nearCoarseRadius": .coarseRadius(.near), "coarseFill": .coarseFill,
                ], constants: ["HIDES": ShaderConstant(hides)])
        }
    }

    private static func workgroup(isTiled: Bool) -> [String: ShaderConstant] {
        ["TILED": ShaderConstant(isTiled), "local_size_x": isTiled ? 16 : 8, "local_size_y": isTiled ? 1 : 8]
    }
}

extension LensPass {
    /// Running sums along the rows of a layer, for fine discs, and of pairs of rows, for coarse ones; `row-sums`.
    ///
    /// Of the near layer, tiles without anything in front count as empty: nobody wrote them.
    static func rowSums(_ layer: LensBuffer.Layer, _ variant: LensVariant) -> [LensPass] {
        let (shader, parts) = variant.hasWideSums ? ("row-sums-wide", LensGeometry.tile / 2) : ("row-sums", 1)
        return [true, false].map { isFine in
            LensPass(
                shader, .tiles(parts: parts) { isFine ? $0.discs(layer).fineRuns : $0.discs(layer).coarseRuns }, reads: ["layer": .light(layer)],
                writes: ["sums": .sums(layer), "pairs": .pairs(layer)],
                constants: ["FLAGGED": ShaderConstant(layer == .near), "FINE": ShaderConstant(isFine)])
        }
    }
}

extension LensBuffer {
    /// Running sums of a row's light, and of two rows', in fixed point; one column more than pixels.
    static func sums(_ layer: Layer) -> LensBuffer { LensBuffer("sums", of: layer, .uint4) { ($0.columns * LensGeometry.tile + 1, $0.workHeight) } }
    static func pairs(_ layer: Layer) -> LensBuffer {
        LensBuffer("pairs", of: layer, .uint4) { ($0.columns * LensGeometry.tile + 1, $0.coarseHeight) }
    }
}

extension ReferenceLayers {
    /// What reaches the square (x, y) of 2 × 2 layer pixels from those around it, the nearer laid over the farther; `radii` of each square.
    static func gathered(_ layer: Grid<SIMD4<Float>>, _ x: Int, _ y: Int, radius: Float, radii: Grid<Float>, bucket: Int) -> SIMD4<Float> {
        let last = LensPlan.gatherBuckets[bucket] / 2
        let disc = LensPlan.disc(radius, coarse: true)
        let most = min(disc, Float(2 * last))
        var (nearer, other) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
        for line in max(y - last, 0)...min(y + last, radii.height - 1) {
            for column in max(x - last, 0)...min(x + last, radii.width - 1) {
                let theirs = LensPlan.disc(radii[column, line], coarse: true)
                let reach = min(theirs, most)
                let (dx, dy) = (Float(column - x), Float(line - y))
                let inside = (reach * reach / 4 - dx * dx - dy * dy) / reach
                let weight = min(max(inside + 0.5, 0), 1) / (.pi / 4 * reach * reach)
                let share = min(max(disc - theirs - 0.5, 0), 1)
                let sum =
                    layer[2 * column, 2 * line] + layer[2 * column + 1, 2 * line] + layer[2 * column, 2 * line + 1]
                    + layer[2 * column + 1, 2 * line + 1]
                nearer += sum * (0.25 * weight * share)
                other += sum * (0.25 * weight * (1 - share))
            }
        }
        nearer *= min(1 / max(nearer.w, 1e-9), 1)
        let behind = other.w > 1e-4 ? other / other.w : nearer / max(nearer.w, 1e-6)
        var light = nearer + behind * (1 - nearer.w)
        light.w = 1
        return light * min(nearer.w + other.w, 1)
    }
}

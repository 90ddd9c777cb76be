extension ReferenceLayers {
    /// Squares of layer pixels that others gather, all of one size.
    struct Sources {
        /// The mean of each.
        let light: Grid<SIMD4<Float>>
        /// Of the blur, in halves of a square's side; 0 where nothing is blurred.
        let radius: Grid<Float>
        /// How many times a coarse pixel's side a square's is.
        let size: Float

        /// Squares of twice the side, each made from 4 × 4 of these.
        func broader() -> Sources {
            let weights: [Float] = [0.125, 0.375, 0.375, 0.125]
            func sum(_ x: Int, _ y: Int) -> (light: SIMD4<Float>, radius: Float) {
                var (sum, radius) = (SIMD4<Float>.zero, Float(0))
                for (row, weight) in weights.enumerated() {
                    for (column, share) in weights.enumerated() {
                        let (x, y) = (2 * x + column - 1, 2 * y + row - 1)
                        let light = self.light.clamped(x, y) * (weight * share)
                        sum += light
                        radius += light.w * self.radius.clamped(x, y)
                    }
                }
                return (sum, radius)
            }
            let (width, height) = ((radius.width + 1) / 2, (radius.height + 1) / 2)
            let sums = Grid(width: width, height: height, sum)
            return Sources(
                light: Grid(width: width, height: height) { sums[$0, $1].light },
                radius: Grid(width: width, height: height) { sums[$0, $1].radius / max(sums[$0, $1].light.w, 1e-6) / 2 }, size: 2 * size)
        }

        private func disc(_ radius: Float) -> Float { size == 1 ? LensPlan.disc(radius, coarse: true) : LensPlan.broadDisc(radius) }

        /// What reaches a square from those around it, the nearer laid over the farther; no disc is larger than that of the radius `largest`.
        func gathered(_ x: Int, _ y: Int, largest: Float) -> SIMD4<Float> {
            let own = radius[x, y] > 0 ? radius[x, y] : largest
            let disc = disc(own)
            let most = min(disc, self.disc(largest))
            let last = Int(most / 2) + 1
            var (nearer, other) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
            for line in max(y - last, 0)...min(y + last, radius.height - 1) {
                for column in max(x - last, 0)...min(x + last, radius.width - 1) {
                    let theirs = self.disc(radius[column, line])
                    let reach = min(theirs, most)
                    let (dx, dy) = (Float(column - x), Float(line - y))
                    let inside = (reach * reach / 4 - dx * dx - dy * dy) / reach
                    let weight = min(max(inside + 0.5, 0), 1) / (.pi / 4 * reach * reach)
                    let share = min(max((disc - theirs) * size - 0.5, 0), 1)
                    nearer += light[column, line] * (weight * share)
                    other += light[column, line] * (weight * (1 - share))
                }
            }
            nearer *= min(1 / max(nearer.w, 1e-9), 1)
            let behind = other.w > 1e-4 ? other / other.w : nearer / max(nearer.w, 1e-6)
            var light = nearer + behind * (1 - nearer.w)
            light.w = 1
            return light * min(nearer.w + other.w, 1)
        }
    }
}

/// Pull-push completion of what the near layer hides (Gortler et al. 1996): light, its weight and the far radius (lanes 0–4), and the near radius
/// times coverage with the coverage (lanes 5, 6).
struct ReferenceFill {
    private let values: Grid<SIMD8<Float>>

    /// From every layer pixel. Those beside a silhouette hold both colours, so they count only where there is nothing better.
    init(_ layers: ReferenceLayers) {
        let rim: Float = 1 / 64
        let shares = Grid(width: layers.near.width, height: layers.near.height) { x, y in
            let cover = layers.near[x, y].w
            let weight = Self.isRim(layers.spread[x, y]) ? rim : 1
            let light = layers.rest[x, y] * weight
            let far = layers.farRadius[x, y] * layers.far[x, y].w * weight
            return SIMD8(light.x, light.y, light.z, light.w, far, layers.nearRadius[x, y] * cover, cover, 0)
        }
        let finest = Grid(width: (shares.width + 1) / 2, height: (shares.height + 1) / 2) { x, y in
            let sum = shares.sum(x, y, scale: 2)
            let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map { layers.spread.clamped(2 * x + $0.0, 2 * y + $0.1) }
            let weight = Self.isRim(SIMD2(four.map(\.x).min()!, four.map(\.y).max()!)) ? rim : 1
            return Self.bounded(sum) * SIMD8(lowHalf: SIMD4(repeating: weight), highHalf: SIMD4(weight, 1, 1, 0))
        }
        values = Self.completed(finest)
    }

    /// Light, radius of the far layer and of the near one at a layer pixel; radii in layer pixels.
    func value(_ x: Int, _ y: Int) -> (light: SIMD4<Float>, far: Float, near: Float) {
        let value = values.upsampled(x, y, scale: 2)
        let light = value.lowHalf / max(value[3], 1e-6)
        return (light, value[4] / max(value[3], 1e-6), value[5] / max(value[6], 1e-6))
    }

    /// Whether some of it is in front altogether and some is not at all. Between is a surface that comes into focus.
    private static func isRim(_ spread: SIMD2<Float>) -> Bool { spread == SIMD2(0, 1) }

    private static func completed(_ level: Grid<SIMD8<Float>>) -> Grid<SIMD8<Float>> {
        guard min(level.width, level.height) > 4 else { return level }
        let coarser = completed(Grid(width: (level.width + 1) / 2, height: (level.height + 1) / 2) { bounded(level.sum($0, $1, scale: 2)) })
        return Grid(width: level.width, height: level.height) { x, y in
            let own = level[x, y]
            let missing = SIMD8(lowHalf: SIMD4(repeating: 1 - own[3]), highHalf: SIMD4(1 - own[3], 1 - own[6], 1 - own[6], 0))
            return own + coarser.upsampled(x, y, scale: 2) * missing
        }
    }

    /// Weights no larger than 1.
    private static func bounded(_ sum: SIMD8<Float>) -> SIMD8<Float> {
        let (light, near) = (1 / max(sum[3], 1), 1 / max(sum[6], 1))
        return sum * SIMD8(lowHalf: SIMD4(repeating: light), highHalf: SIMD4(light, near, near, 0))
    }
}

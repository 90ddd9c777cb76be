/// One level of the twin's fill pyramid: the light that shows, and far radius, near radius, near coverage.
struct ReferenceFill {
    private(set) var light: Grid<SIMD4<Float>>
    private(set) var radii: Grid<SIMD4<Float>>

    /// The first level, half the size of the layers; pixels beside a silhouette count only where there is nothing better.
    init(
        base: Grid<SIMD4<Float>>, far: Grid<SIMD4<Float>>, farRadius: Grid<Float>, near: Grid<SIMD4<Float>>, nearRadius: Grid<Float>
    ) {
        let rim: Float = 1 / 64
        self.init(fineWidth: base.width, fineHeight: base.height) { pixels in
            var light = SIMD4<Float>.zero
            var radii = SIMD4<Float>.zero
            let hidden = pixels.contains { near[$0.x, $0.y].w > 0 }
            for (x, y) in pixels {
                let cover = near[x, y].w
                let weight = cover > 0 ? rim : 1
                light += base[x, y] * weight
                radii += SIMD4(farRadius[x, y] * far[x, y].w * weight, nearRadius[x, y] * cover, cover, 0)
            }
            let scale = (hidden ? rim : 1) / max(light.w, 1)
            return (light * scale, radii * SIMD4(scale, 1, 1, 1))
        }
    }

    /// A level half as fine.
    func coarser() -> ReferenceFill {
        ReferenceFill(fineWidth: light.width, fineHeight: light.height) { pixels in
            let light = pixels.reduce(SIMD4<Float>.zero) { $0 + self.light[$1.x, $1.y] }
            let radii = pixels.reduce(SIMD4<Float>.zero) { $0 + self.radii[$1.x, $1.y] }
            let scale = 1 / max(light.w, 1)
            return (light * scale, radii * SIMD4(scale, 1, 1, 1))
        }
    }

    /// Where this level knows little, the coarser one speaks.
    mutating func complete(from coarse: ReferenceFill) {
        for y in 0..<light.height {
            for x in 0..<light.width {
                let (shown, radius) = (light[x, y], radii[x, y])
                let missing = SIMD4(1 - shown.w, 1 - radius.z, 1 - radius.z, 0)
                light[x, y] = shown + coarse.light.upsampled(x, y, scale: 2) * (1 - shown.w)
                radii[x, y] = radius + coarse.radii.upsampled(x, y, scale: 2) * missing
            }
        }
    }

    /// Every pixel from the (up to) 2 × 2 finer ones; near radii end as sums over coverage no larger than one.
    private init(fineWidth: Int, fineHeight: Int, _ value: ([(x: Int, y: Int)]) -> (light: SIMD4<Float>, radii: SIMD4<Float>)) {
        let values = Grid(width: (fineWidth + 1) / 2, height: (fineHeight + 1) / 2) { x, y in
            let four = [(2 * x, 2 * y), (2 * x + 1, 2 * y), (2 * x, 2 * y + 1), (2 * x + 1, 2 * y + 1)]
            var (light, radii) = value(four.filter { $0.0 < fineWidth && $0.1 < fineHeight }.map { (x: $0.0, y: $0.1) })
            let scale = 1 / max(radii.z, 1)
            radii *= SIMD4(1, scale, scale, 1)
            return (light: light, radii: radii)
        }
        light = Grid(width: values.width, height: values.height) { values[$0, $1].light }
        radii = Grid(width: values.width, height: values.height) { values[$0, $1].radii }
    }
}

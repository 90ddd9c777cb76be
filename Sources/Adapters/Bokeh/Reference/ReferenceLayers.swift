/// The twin's layers at layer size: premultiplied light and coverage, and radii of the blur in layer pixels.
struct ReferenceLayers {
    private(set) var far: Grid<SIMD4<Float>>
    private(set) var near: Grid<SIMD4<Float>>
    private(set) var farRadius: Grid<Float>
    private(set) var nearRadius: Grid<Float>
    /// The scene that is not in front, premultiplied.
    let rest: Grid<SIMD4<Float>>
    /// The scene behind the near layer, and its share of the far layer.
    private(set) var hidden: Grid<SIMD4<Float>>
    /// The least and the largest coverage of a pixel in front.
    let spread: Grid<SIMD2<Float>>
    private let scale: Int

    /// `light` with coverage 1 and the signed `radius` of every pixel of the picture, in its pixels.
    init(light: Grid<SIMD4<Float>>, radius: Grid<Float>, scale: Int) {
        let (width, height) = (light.width / scale, light.height / scale)
        func mean(_ weight: (Float) -> Float) -> (light: Grid<SIMD4<Float>>, radius: Grid<Float>) {
            let lit = Grid(width: light.width, height: light.height) { light[$0, $1] * weight(radius[$0, $1]) }
            let radii = Grid(width: light.width, height: light.height) { SIMD2(abs(radius[$0, $1]), 1) * weight(radius[$0, $1]) }
            let means = Grid(width: width, height: height) { lit.sum($0, $1, scale: scale) / Float(scale * scale) }
            return (
                means,
                Grid(width: width, height: height) { x, y in
                    let sum = radii.sum(x, y, scale: scale)
                    return sum.x / max(sum.y, 1e-6) / Float(scale)
                }
            )
        }
        self.scale = scale
        (far, farRadius) = mean { Self.blurred(-$0) }
        (near, nearRadius) = mean(Self.blurred)
        rest = mean { 1 - Self.blurred($0) }.light
        spread = Grid(width: width, height: height) { x, y in
            let all = (0..<scale * scale).map { Self.blurred(radius[x * scale + $0 % scale, y * scale + $0 / scale]) }
            return SIMD2(all.min()!, all.max()!)
        }
        hidden = Grid(width: width, height: height) { _, _ in .zero }
        let fill = ReferenceFill(self)
        for y in 0..<height { for x in 0..<width { resolve(x, y, fill.value(x, y)) } }
    }

    /// Share of the blurred layer: 0 up to a radius of three quarters of a pixel of the picture, 1 from one pixel more.
    static func blurred(_ radius: Float) -> Float { min(max(radius - 0.75, 0), 1) }

    /// Continues the near radius beyond silhouettes, and completes the far layer behind the near one.
    private mutating func resolve(_ x: Int, _ y: Int, _ fill: (light: SIMD4<Float>, far: Float, near: Float)) {
        let cover = near[x, y].w
        if cover == 0 { nearRadius[x, y] = fill.near }
        let share = Self.blurred(fill.far * Float(scale))
        hidden[x, y] = SIMD4(fill.light.x, fill.light.y, fill.light.z, share)
        let own = far[x, y].w
        farRadius[x, y] = (farRadius[x, y] * own + fill.far * cover * share) / max(own + cover * share, 1e-6)
        far[x, y] += SIMD4(fill.light.x, fill.light.y, fill.light.z, 1) * (cover * share)
    }

    /// The mean of `layer` over the disc about (x, y). `opening` is the share of a pixel, at a place in radii, that a shaped one covers.
    static func mean(
        of layer: Grid<SIMD4<Float>>, _ x: Int, _ y: Int, radius: Float, opening: ((_ at: SIMD2<Float>, _ pixel: Float) -> Float)?
    ) -> SIMD4<Float> {
        let disc = disc(radius)
        var (sum, area) = (SIMD4<Float>.zero, Float(0))
        forEach(within: disc + 0.5, of: x, y, layer) { column, row, away in
            let weight = opening?(SIMD2(Float(column - x), Float(row - y)) / disc, 1 / disc) ?? min(max(disc + 0.5 - away, 0), 1)
            sum += layer[column, row] * weight
            area += weight
        }
        return sum / max(area, 1e-6)
    }

    /// Light that reaches (x, y) from all whose own disc covers it, the nearer laid over the farther (scatter as gather).
    func gatheredFar(_ x: Int, _ y: Int, radius: Float, largest: Float) -> SIMD4<Float> {
        let own = Self.disc(radius)
        var (nearer, other) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
        Self.forEach(within: largest + 0.5, of: x, y, far) { column, row, away in
            let disc = Self.disc(farRadius[column, row])
            let weight = min(max(disc + 0.5 - away, 0), 1) / (.pi * disc * disc)
            let share = min(max(own - disc - 0.5, 0), 1)
            nearer += far[column, row] * (weight * share)
            other += far[column, row] * (weight * (1 - share))
        }
        nearer *= min(1 / max(nearer.w, 1e-9), 1)
        let behind = other.w > 1e-4 ? other / other.w : nearer / max(nearer.w, 1e-6)
        return (nearer + behind * (1 - nearer.w)) * min(nearer.w + other.w, 1)
    }

    /// The disc that draws a blur of `radius`, both in layer pixels: resampling blurs by a radius of one already.
    private static func disc(_ radius: Float) -> Float { max(radius * radius - 1, 0.25).squareRoot() }

    private static func forEach(within reach: Float, of x: Int, _ y: Int, _ layer: Grid<SIMD4<Float>>, _ body: (Int, Int, Float) -> Void) {
        let last = Int(reach) + 1
        for row in max(y - last, 0)...min(y + last, layer.height - 1) {
            for column in max(x - last, 0)...min(x + last, layer.width - 1) {
                body(column, row, (Float((column - x) * (column - x) + (row - y) * (row - y))).squareRoot())
            }
        }
    }
}

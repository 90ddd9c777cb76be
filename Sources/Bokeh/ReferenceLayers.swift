/// The twin's layers: premultiplied light and coverage at layer size, and the radius of the blur in layer pixels.
struct ReferenceLayers {
    private let scale: Int
    private(set) var far: Grid<SIMD4<Float>>
    private(set) var near: Grid<SIMD4<Float>>
    private(set) var farRadius: Grid<Float>
    private(set) var nearRadius: Grid<Float>
    /// What is not in front, and, after the fill, what is hidden with its share of the far layer.
    private var base: Grid<SIMD4<Float>>
    private var hidden: Grid<SIMD4<Float>>

    init(picture: ReferencePicture, radius: Grid<Float>, geometry: LensGeometry, parameters: LensParameters) {
        let scale = geometry.scale
        let size = (geometry.workWidth, geometry.workHeight)
        func mean(_ value: (Int, Int) -> SIMD4<Float>) -> Grid<SIMD4<Float>> {
            Grid(width: size.0, height: size.1) { x, y in
                var sum = SIMD4<Float>.zero
                for dy in 0..<scale {
                    for dx in 0..<scale { sum += value(x * scale + dx, y * scale + dy) }
                }
                return sum / Float(scale * scale)
            }
        }
        func meanRadius(_ sign: Float) -> Grid<Float> {
            let sums = mean { x, y in
                let share = Self.blurred(sign * radius[x, y])
                return SIMD4(sign * radius[x, y] * share, share, 0, 0)
            }
            return Grid(width: size.0, height: size.1) { x, y in sums[x, y].x / max(sums[x, y].y, 1e-6) / Float(scale) }
        }
        self.scale = scale
        far = mean { x, y in picture.light(x, y, parameters) * Self.blurred(-radius[x, y]) }
        near = mean { x, y in picture.light(x, y, parameters) * Self.blurred(radius[x, y]) }
        base = mean { x, y in picture.light(x, y, parameters) * (1 - Self.blurred(radius[x, y])) }
        farRadius = meanRadius(-1)
        nearRadius = meanRadius(1)
        hidden = Grid(width: size.0, height: size.1) { _, _ in .zero }
    }

    /// 0 up to a radius of half a pixel of the picture, 1 from one and a half.
    static func blurred(_ radius: Float) -> Float { min(max(radius - 0.5, 0), 1) }

    // MARK: the fill

    /// Completes the far layer behind the near one, keeps the hidden scene, spreads the near radius.
    mutating func fillBehindNear() {
        var levels = [ReferenceFill(base: base, far: far, farRadius: farRadius, near: near, nearRadius: nearRadius)]
        while min(levels[levels.count - 1].light.width, levels[levels.count - 1].light.height) > 4 {
            levels.append(levels[levels.count - 1].coarser())
        }
        for level in levels.indices.dropLast().reversed() { levels[level].complete(from: levels[level + 1]) }
        for y in 0..<far.height {
            for x in 0..<far.width {
                resolve(x, y, light: levels[0].light.upsampled(x, y, scale: 2), radii: levels[0].radii.upsampled(x, y, scale: 2))
            }
        }
    }

    private mutating func resolve(_ x: Int, _ y: Int, light: SIMD4<Float>, radii: SIMD4<Float>) {
        let cover = near[x, y].w
        guard cover > 0 else {
            nearRadius[x, y] = radii.y / max(radii.z, 1e-6)
            return
        }
        var colour = light / max(light.w, 1e-6)
        let hiddenRadius = radii.x / max(light.w, 1e-6)
        let share = Self.blurred(hiddenRadius * Float(scale))
        colour.w = share
        hidden[x, y] = colour
        let own = far[x, y].w
        farRadius[x, y] = (farRadius[x, y] * own + hiddenRadius * cover * share) / max(own + cover * share, 1e-6)
        colour.w = 1
        far[x, y] += colour * (cover * share)
    }

    // MARK: discs

    /// The mean of `layer` over the disc around each pixel; zero where no bucket is.
    func blurred(_ layer: Grid<SIMD4<Float>>, radius: Grid<Float>, buckets: [Int], columns: Int) -> Grid<SIMD4<Float>> {
        Grid(width: layer.width, height: layer.height) { x, y in
            let bucket = buckets[y / LensGeometry.tile * columns + x / LensGeometry.tile]
            guard bucket > 0 else { return .zero }
            let r = min(LensPlan.disc(radius[x, y]), LensPlan.reach(ofBucket: bucket))
            var sum = SIMD4<Float>.zero
            var area: Float = 0
            for dy in -LensPlan.buckets[bucket]...LensPlan.buckets[bucket] where y + dy >= 0 && y + dy < layer.height {
                let (height, low, high) = Self.span(Float(dy), r, x, exact: bucket <= LensPlan.lastExactBucket)
                let (first, last) = (max(low, 0), min(high, Float(layer.width)))
                guard height > 0, last > first else { continue }
                area += height * (last - first)
                for column in Int(first)..<Int(last.rounded(.up)) {
                    let covered = min(Float(column + 1), last) - max(Float(column), first)
                    sum += layer[column, y + dy] * (height * covered)
                }
            }
            return sum / area
        }
    }

    /// The part of a disc's row `dy` that counts, and its two ends; whole pixels unless `exact`.
    private static func span(_ dy: Float, _ r: Float, _ x: Int, exact: Bool) -> (height: Float, low: Float, high: Float) {
        guard exact else {
            let reach = max(r * r - dy * dy, 0).squareRoot().rounded(.down)
            return (r * r - dy * dy >= 0 ? 1 : 0, Float(x) - reach, Float(x) + reach + 1)
        }
        let away = abs(dy)
        let middle = min(away, 0.5 * (away - 0.5 + r))
        let reach = max(r * r - middle * middle, 0).squareRoot()
        return (min(max(r + 0.5 - away, 0), 1), Float(x) + 0.5 - reach, Float(x) + 0.5 + reach)
    }

    // MARK: composition

    /// The light of pixel (x, y) of the picture; nil where nothing blurred reaches it.
    func compose(
        _ x: Int, _ y: Int, light: SIMD4<Float>, radius: Float, far: Grid<SIMD4<Float>>, near: Grid<SIMD4<Float>>
    ) -> SIMD4<Float>? {
        let level = ((Self.blurred(radius) - Self.blurred(-radius)) * 127).rounded() / 127
        let behind = hidden[x / scale, y / scale]
        let (farLight, nearLight) = (far.upsampled(x, y, scale: scale), near.upsampled(x, y, scale: scale))
        let inFront = max(level, 0)
        let revealed = min(max((inFront - nearLight.w) / max(1 - nearLight.w, 1e-3), 0), 1)
        let share = farLight.w > 1e-4 ? max(-level, 0) + revealed * behind.w : 0
        guard share > 0 || inFront > 0 || nearLight.w > 0 else { return nil }
        let base = light * (1 - revealed) + behind * revealed
        let blended = base * (1 - share) + farLight / max(farLight.w, 1e-4) * share
        return nearLight + blended * (1 - nearLight.w)
    }
}

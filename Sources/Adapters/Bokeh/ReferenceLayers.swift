/// The twin's layers: premultiplied light and coverage at layer size, and the radius of the blur in layer pixels.
struct ReferenceLayers {
    private let scale: Int
    private let shape: ApertureShape?
    private(set) var far: Grid<SIMD4<Float>>
    private(set) var near: Grid<SIMD4<Float>>
    private(set) var farRadius: Grid<Float>
    private(set) var nearRadius: Grid<Float>
    /// What is not in front, and, after the fill, what is behind it with its share of the far layer.
    private var base: Grid<SIMD4<Float>>
    private var hidden: Grid<SIMD4<Float>>
    /// What the near layer does not hide, completed.
    private var known: ReferenceFill?

    init(picture: ReferencePicture, radius: Grid<Float>, geometry: LensGeometry, parameters: LensParameters, shape: ApertureShape?) {
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
        self.shape = shape
        far = mean { x, y in picture.lit(x, y, parameters) * Self.blurred(-radius[x, y]) }
        near = mean { x, y in picture.lit(x, y, parameters) * Self.blurred(radius[x, y]) }
        base = mean { x, y in picture.lit(x, y, parameters) * (1 - Self.blurred(radius[x, y])) }
        farRadius = meanRadius(-1)
        nearRadius = meanRadius(1)
        hidden = Grid(width: size.0, height: size.1) { _, _ in .zero }
    }

    /// 0 up to a radius of three quarters of a pixel of the picture, so that noise leaves alone what is sharp; 1 from one pixel more.
    static func blurred(_ radius: Float) -> Float { min(max(radius - TileRadii.slight, 0), 1) }

    // MARK: the fill

    /// Completes the far layer behind the near one, keeps the hidden scene, spreads the near radius.
    mutating func fillBehindNear(_ plan: LensPlan) {
        func isKnown(_ x: Int, _ y: Int) -> Bool { plan.tiles[plan.tile(x, y)] & 2 > 0 }
        let (shown, shownFar, shownNear) = (base.masked(isKnown), far.masked(isKnown), near.masked(isKnown))
        var levels = [ReferenceFill(base: shown, far: shownFar, farRadius: farRadius, near: shownNear, nearRadius: nearRadius)]
        while min(levels[levels.count - 1].light.width, levels[levels.count - 1].light.height) > 4 {
            levels.append(levels[levels.count - 1].coarser())
        }
        for level in levels.indices.dropLast().reversed() { levels[level].complete(from: levels[level + 1]) }
        known = levels[0]
        for y in 0..<far.height {
            for x in 0..<far.width {
                resolve(x, y, light: levels[0].light.upsampled(x, y, scale: 2), radii: levels[0].radii.upsampled(x, y, scale: 2))
            }
        }
    }

    private mutating func resolve(_ x: Int, _ y: Int, light: SIMD4<Float>, radii: SIMD4<Float>) {
        let cover = near[x, y].w
        if cover == 0 { nearRadius[x, y] = radii.y / max(radii.z, 1e-6) }
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

    /// A layer blurred, at layer size and coarsely; zero where no pass goes.
    struct Blur {
        let fine: Grid<SIMD4<Float>>
        let coarse: Grid<SIMD4<Float>>
    }

    func blurFar(_ plan: LensPlan) -> Blur {
        let radius = Grid<Float>(width: far.width / 2, height: far.height / 2) { x, y in
            var (sum, cover): (Float, Float) = (0, 0)
            for (column, line) in [(2 * x, 2 * y), (2 * x + 1, 2 * y), (2 * x, 2 * y + 1), (2 * x + 1, 2 * y + 1)] {
                sum += farRadius[column, line] * far[column, line].w
                cover += far[column, line].w
            }
            return sum / max(cover, 1e-6)
        }
        return blur(far, radius: farRadius, coarseRadius: radius, plan.far, columns: plan.columns, isNear: false)
    }

    func blurNear(_ plan: LensPlan) -> Blur {
        let radius = Grid<Float>(width: near.width / 2, height: near.height / 2) { x, y in
            0.25 * (nearRadius[2 * x, 2 * y] + nearRadius[2 * x + 1, 2 * y] + nearRadius[2 * x, 2 * y + 1] + nearRadius[2 * x + 1, 2 * y + 1])
        }
        return blur(near, radius: nearRadius, coarseRadius: radius, plan.near, columns: plan.columns, isNear: true)
    }

    private func blur(
        _ layer: Grid<SIMD4<Float>>, radius: Grid<Float>, coarseRadius: Grid<Float>, _ discs: LensPlan.Discs, columns: Int, isNear: Bool
    ) -> Blur {
        let side = LensGeometry.tile
        func mean(_ x: Int, _ y: Int, radius: Float, bucket: Int, tile: Int, unit: Int) -> SIMD4<Float> {
            let ends = shape.map { shape in { at in shape.ends(at, tile: tile, near: isNear) } as (Float) -> (left: Float, right: Float) }
            return Self.mean(of: layer, x, y, radius: radius, bucket: bucket, unit: unit, ends: ends)
        }
        let sources = Sources(
            light: Grid(width: coarseRadius.width, height: coarseRadius.height) { x, y in
                (layer[2 * x, 2 * y] + layer[2 * x + 1, 2 * y] + layer[2 * x, 2 * y + 1] + layer[2 * x + 1, 2 * y + 1]) / 4
            }, radius: coarseRadius, size: 1)
        let broad = discs.blocks.map { blocks in
            let broader = sources.broader()
            return Grid(width: broader.radius.width, height: broader.radius.height) { x, y in
                let block = 2 * y / side * blocks.columns + 2 * x / side
                return blocks.isDrawn[block] ? broader.gathered(x, y, largest: blocks.radius[block]) : .zero
            }
        }
        let coarse = Grid(width: coarseRadius.width, height: coarseRadius.height) { x, y in
            let tile = 2 * y / side * columns + 2 * x / side
            if let broad, discs.blocks?.isBroad[tile] == true { return broad.upsampled(x, y, scale: 2) }
            if discs.isGathered[tile] { return sources.gathered(x, y, largest: discs.radius[tile]) }
            let own = coarseRadius[x, y]
            return mean(x, y, radius: own > 0 ? own : discs.radius[tile], bucket: discs.coarseBucket[tile], tile: tile, unit: 2)
        }
        let fine = Grid(width: layer.width, height: layer.height) { x, y in
            let tile = y / side * columns + x / side
            guard !discs.isUpsampled[tile] else { return coarse.upsampled(x, y, scale: 2) }
            let own = radius[x, y]
            let fine = mean(x, y, radius: own > 0 ? own : discs.radius[tile], bucket: discs.fineBucket[tile], tile: tile, unit: 1)
            guard discs.isBlended[tile] else { return fine }
            let share = min(max(own - (TileRadii.gathered - 1), 0), 1)
            return fine * (1 - share) + coarse.upsampled(x, y, scale: 2) * share
        }
        return Blur(fine: fine, coarse: coarse)
    }

    /// The mean of `layer` over the disc about the square (x, y) of `unit` layer pixels, whose rows are as high.
    ///
    /// `ends` gives the ends of the opening's row in radii; nil for a round one.
    private static func mean(
        of layer: Grid<SIMD4<Float>>, _ x: Int, _ y: Int, radius: Float, bucket: Int, unit: Int, ends: ((Float) -> (left: Float, right: Float))?
    ) -> SIMD4<Float> {
        guard bucket > 0 else { return .zero }
        let isCoarse = unit == 2
        let buckets: DiscBuckets = isCoarse ? .coarse : .fine
        let r = min(LensPlan.disc(radius, coarse: isCoarse), buckets.reach(bucket, isRound: ends == nil))
        let height = isCoarse ? (r * r - LensPlan.rowResampling).squareRoot() / 2 : r
        let last = buckets.radii[bucket] / unit
        let isExact = buckets.isExact(bucket, isRound: ends == nil)
        func wholePixels(_ end: Float) -> Float { isCoarse ? (end + 0.5).rounded(.down) : (end + 1).rounded(.down) - 0.5 }
        var sum = SIMD4<Float>.zero
        var area: Float = 0
        for dy in -last...last where y + dy >= 0 && y + dy < layer.height / unit {
            let isLast = isExact || (isCoarse && 2 * abs(dy) + 4 >= buckets.radii[bucket])
            for row in spans(Float(dy), height, isLast: isLast, isHalved: isCoarse && ends != nil) {
                let reach = r / height * max(height * height - row.at * row.at, 0).squareRoot()
                var (left, right) = (-reach, reach)
                if let ends {
                    (left, right) = ends(row.at / height)
                    (left, right) = (left * r, right * r)
                }
                if !isExact { (left, right) = (-wholePixels(reach), wholePixels(reach)) }
                let middle = (Float(x) + 0.5) * Float(unit)
                let (low, high) = (max(middle + left, 0), min(middle + right, Float(layer.width)))
                guard row.share > 0, high > low else { continue }
                area += row.share * (high - low) * Float(unit)
                for column in Int(low)..<Int(high.rounded(.up)) {
                    let covered = min(Float(column + 1), high) - max(Float(column), low)
                    for line in (y + dy) * unit..<(y + dy + 1) * unit { sum += layer[column, line] * (row.share * covered) }
                }
            }
        }
        return sum / area
    }

    /// The parts of a disc's row `dy` that count, and where in it their lengths are taken; the disc as high as wide.
    private static func spans(_ dy: Float, _ r: Float, isLast: Bool, isHalved: Bool) -> [(share: Float, at: Float)] {
        if isHalved { return [dy - 0.25, dy + 0.25].map { (min(max(2 * (r - abs($0)) + 0.5, 0), 1) / 2, $0) } }
        let away = abs(dy)
        guard isLast else { return [(r >= away ? 1 : 0, dy)] }
        let middle = min(away, 0.5 * (away - 0.5 + r))
        return [(min(max(r + 0.5 - away, 0), 1), dy < 0 ? -middle : middle)]
    }

    // MARK: composition

    /// The light of a coarse pixel that is blurred all over.
    func plain(_ x: Int, _ y: Int, far: Grid<SIMD4<Float>>, near: Grid<SIMD4<Float>>, _ plan: LensPlan) -> SIMD4<Float> {
        let (farLight, nearLight) = (far[x, y], near[x, y])
        let pixels = [(2 * x, 2 * y), (2 * x + 1, 2 * y), (2 * x, 2 * y + 1), (2 * x + 1, 2 * y + 1)]
        var light = farLight / max(farLight.w, 1e-4)
        let tile = plan.tile(2 * x, 2 * y)
        if plan.tiles[tile] & 1 == 1 {
            let colour = pixels.reduce(SIMD4<Float>.zero) { $0 + hidden[$1.0, $1.1] } / 4
            let cover = farLight.w > 1e-4 ? pixels.reduce(0) { $0 + self.far[$1.0, $1.1].w } / 4 : 0
            light = colour * (1 - cover) + light * cover
        } else if plan.isReached[tile], let known {
            let weight = max(known.light[x, y].w, 1e-6)
            let cover = farLight.w > 1e-4 ? Self.blurred(known.radii[x, y].x / weight * Float(scale)) : 0
            light = known.light[x, y] / weight * (1 - cover) + light * cover
        }
        return nearLight + light * (1 - nearLight.w)
    }

    /// The light of pixel (x, y) of the picture, where the blurred layers have `far` and `near`; nil where nothing blurred reaches it.
    func compose(
        _ x: Int, _ y: Int, light: SIMD4<Float>, radius: Float, far farLight: SIMD4<Float>, near nearLight: SIMD4<Float>
    ) -> SIMD4<Float>? {
        let level = ((Self.blurred(radius) - Self.blurred(-radius)) * 127).rounded() / 127
        let behind = hidden[x / scale, y / scale]
        let inFront = max(level, 0)
        let revealed = min(max((inFront - nearLight.w) / max(1 - nearLight.w, 1e-3), 0), 1)
        let share = farLight.w > 1e-4 ? max(-level, 0) + revealed * behind.w : 0
        guard share > 0 || inFront > 0 || nearLight.w > 0 else { return nil }
        let base = light * (1 - revealed) + behind * revealed
        let blended = base * (1 - share) + farLight / max(farLight.w, 1e-4) * share
        return nearLight + blended * (1 - nearLight.w)
    }
}

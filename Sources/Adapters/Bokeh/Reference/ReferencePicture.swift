import CoreVideo

/// The twin's view of a pixel buffer: encoded colours, 0…1; beyond its edges they repeat.
struct ReferencePicture {
    private let image: CVPixelBuffer
    private let encoded: Grid<SIMD4<Float>>
    /// Luma, or green.
    private let brightness: Grid<Float>
    private let format: PictureFormat
    private let parameters: LensParameters
    /// Nil where no light is expanded.
    private let lights: IsolatedLights?
    /// Side of one of its squares, pixels.
    private let lightSide: Int

    /// `image` in a format that the lens takes.
    init(_ image: CVPixelBuffer, _ geometry: LensGeometry, _ parameters: LensParameters) {
        let format = PictureFormat(image)!
        func sample(_ plane: Int, _ x: Int, _ y: Int) -> Float {
            switch format.layout {
            case .deep: Float(image.plane(plane).row(y, as: UInt16.self)[x] >> 6)
            case .wide: Float(image.plane(plane).row(y, as: UInt16.self)[x])
            default: Float(image.plane(plane).row(y, as: UInt8.self)[x])
            }
        }
        encoded = Grid(width: image.size.width, height: image.size.height) { x, y in
            guard format.isPlanar else {
                let (first, green, last) = (sample(0, 4 * x, y), sample(0, 4 * x + 1, y), sample(0, 4 * x + 2, y))
                return (format.layout == .wide ? SIMD4(first, green, last, 0) : SIMD4(last, green, first, 0)) / format.highestCode
            }
            return format.colour(luma: sample(0, x, y), cb: sample(1, x / 2 * 2, y / 2), cr: sample(1, x / 2 * 2 + 1, y / 2))
        }
        brightness = Grid(width: image.size.width, height: image.size.height) { x, y in
            format.isPlanar ? sample(0, x, y) / format.lumaRange : sample(0, 4 * x + 1, y) / format.highestCode
        }
        self.image = image
        self.format = format
        self.parameters = parameters
        lights = parameters.bend > 0 ? IsolatedLights(image, geometry: geometry, knee: parameters.knee) : nil
        lightSide = 2 * geometry.scale
    }

    /// Linear light of a pixel as the picture has it, coverage 1.
    func light(_ x: Int, _ y: Int) -> SIMD4<Float> { format.decoded(encoded.clamped(x, y)) }

    /// The same, lights expanded: a pixel beside darker ones is taken to hold less of one, since eight bits do not tell.
    func lit(_ x: Int, _ y: Int) -> SIMD4<Float> {
        let light = light(x, y)
        guard let lights else { return light }
        var others: Float = -1
        for row in y - 1...y + 1 {
            for column in x - 1...x + 1 { others += min(max((brightness.clamped(column, row) - brightness.clamped(x, y)) * 10 + 1, 0), 1) }
        }
        let cover = min(max(1 - LensConstants.rimSlope * (8 - others), LensConstants.rimLeast), 1)
        return expanded(light, cover: cover * lights.weights[y / lightSide * lights.columns + x / lightSide])
    }

    private func expanded(_ light: SIMD4<Float>, cover: Float) -> SIMD4<Float> {
        let peak = max(light.x, light.y, light.z)
        let above = peak - parameters.knee
        guard above > 0, parameters.bend > 0 else { return light }
        let gain = 1 + cover * ((parameters.knee + above / (1 - parameters.bend * above)) / peak - 1)
        return light * SIMD4(gain, gain, gain, 1)
    }

    /// The encoded colour of light, clipped at white where the format has nothing above.
    private func coded(_ light: SIMD4<Float>) -> SIMD4<Float> {
        format.encoded(format.isHDR ? light : light.clamped(lowerBound: .zero, upperBound: .one))
    }

    /// A finished colour with a share of its light: what is clipped stays white longer, as a light brighter than white would.
    private func darkened(_ colour: SIMD4<Float>, by share: Float) -> SIMD4<Float> {
        let light = expanded(format.decoded(colour), cover: 1) * share
        let peak = max(light.x, light.y, light.z)
        let above = peak - parameters.knee
        let gain = above > 0 && !format.isHDR ? (parameters.knee + above / (1 + parameters.bend * above)) / peak : 1
        return coded(light * gain)
    }

    /// Writes the light that `compose` gives, of which `share` is left; where both give nil for a pixel, or for all four of a chroma sample, the sharp
    /// picture's bits.
    func write(
        to result: CVPixelBuffer, grain: Grain?, share: (_ x: Int, _ y: Int) -> Float?,
        compose: (_ x: Int, _ y: Int) -> (light: SIMD4<Float>, own: Float)?
    ) {
        let composed = Grid(width: encoded.width, height: encoded.height) { compose($0, $1) }
        let colours = Grid(width: encoded.width, height: encoded.height) { x, y in
            let colour = composed[x, y].map { coded($0.light) }
            return share(x, y).map { darkened(colour ?? encoded[x, y], by: $0) } ?? colour
        }
        func set(_ plane: Int, _ x: Int, _ y: Int, _ code: Float?) {
            if format.layout == .deep {
                let old = image.plane(plane).row(y, as: UInt16.self)[x]
                result.plane(plane).row(y, as: UInt16.self)[x] = code.map { UInt16(min(max($0.rounded(), 0), 1023)) << 6 } ?? old
            } else if format.layout == .wide {
                let old = image.plane(plane).row(y, as: UInt16.self)[x]
                result.plane(plane).row(y, as: UInt16.self)[x] = code.map { UInt16(min(max($0.rounded(), 0), 65535)) } ?? old
            } else {
                let old = image.plane(plane).row(y, as: UInt8.self)[x]
                result.plane(plane).row(y, as: UInt8.self)[x] = code.map { UInt8(min(max($0.rounded(), 0), 255)) } ?? old
            }
        }
        for y in 0..<encoded.height {
            for x in 0..<encoded.width {
                guard format.isPlanar else {
                    for channel in 0..<4 {
                        set(
                            0, 4 * x + channel, y,
                            channel < 3 ? colours[x, y].map { $0[format.layout == .wide ? channel : 2 - channel] * format.highestCode } : nil)
                    }
                    continue
                }
                set(0, x, y, colours[x, y].map { format.codes($0).x })
                guard x % 2 == 0, y % 2 == 0 else { continue }
                let four = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)]
                let isDrawn = four.contains { colours[$0.0, $0.1] != nil }
                let codes = format.codes(four.reduce(.zero) { $0 + (colours[$1.0, $1.1] ?? encoded[$1.0, $1.1]) } / 4)
                set(1, x, y / 2, isDrawn ? codes.y : nil)
                set(1, x + 1, y / 2, isDrawn ? codes.z : nil)
            }
        }
        guard let grain else { return }
        // Of four pixels in a row, as the lens takes them.
        let lost = Grid(width: encoded.width, height: encoded.height) { x, y in
            let own = composed[x, y]?.own ?? 1
            return (1 - own * own).squareRoot()
        }
        addNoise(grain, lost, to: result)
    }

    /// Adds the source's noise to finished samples by how much of their own they lost; its strength is that at the mean luma of four pixels.
    private func addNoise(_ grain: Grain, _ lost: Grid<Float>, to result: CVPixelBuffer) {
        let (width, height) = result.size
        func code(_ channel: Int, _ x: Int, _ y: Int) -> Float { format.code(of: result, channel: channel, x, y) }
        let levels = Grid(width: (width + 3) / 4, height: height) { x, y in
            let columns = 4 * x..<min(4 * x + 4, width)
            let mean = columns.reduce(Float(0)) { $0 + code(format.isPlanar ? 0 : 1, $1, y) } / Float(columns.count)
            return format.isPlanar ? (mean - format.black) / format.lumaRange : mean / format.highestCode
        }
        func deviation(_ channel: Int, _ x: Int, _ y: Int) -> Float {
            let at = min(max(levels[x / 4, y], 0), 1) * Float(SourceNoise.levels - 1)
            let low = min(Int(at), SourceNoise.levels - 2)
            let (first, second) = (grain.noise.deviations[low][channel], grain.noise.deviations[low + 1][channel])
            return first + (second - first) * (at - Float(low))
        }
        func add(_ channel: Int, _ x: Int, _ y: Int, _ strength: Float) {
            let noise = (grain.field.value(channel, x, y, seed: grain.noise.seed) * strength + 0.5).rounded(.down)
            let fresh = min(max(code(channel, x, y) + noise, 0), format.highestCode)
            switch format.layout {
            case .packed: result.plane(0).row(y, as: UInt8.self)[4 * x + channel] = UInt8(fresh)
            case .planar: result.plane(min(channel, 1)).row(y, as: UInt8.self)[channel == 0 ? x : 2 * x + channel - 1] = UInt8(fresh)
            case .deep: result.plane(min(channel, 1)).row(y, as: UInt16.self)[channel == 0 ? x : 2 * x + channel - 1] = UInt16(fresh) << 6
            case .wide: result.plane(0).row(y, as: UInt16.self)[4 * x + channel] = UInt16(fresh)
            }
        }
        for y in 0..<height {
            for x in 0..<width {
                for channel in 0..<(format.isPlanar ? 1 : 3) { add(channel, x, y, deviation(channel, x, y) * lost[x, y]) }
                guard format.isPlanar, x % 2 == 0, y % 2 == 0 else { continue }
                let share = (lost[x, y] + lost[x + 1, y] + lost[x, y + 1] + lost[x + 1, y + 1]) / 4
                for channel in 1...2 { add(channel, x / 2, y / 2, (deviation(channel, x, y) + deviation(channel, x, y + 1)) / 2 * share) }
            }
        }
    }
}

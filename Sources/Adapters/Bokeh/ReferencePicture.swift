import CoreVideo

/// The twin's view of a pixel buffer: encoded colours, 0…1, padded as the lens pads.
struct ReferencePicture {
    private let encoded: Grid<SIMD4<Float>>
    /// Luma, or green.
    private let brightnesses: Grid<Float>
    private let format: PictureFormat

    init(_ image: CVPixelBuffer, geometry: LensGeometry) {
        let format = geometry.format
        self.format = format
        encoded = Grid(width: geometry.paddedWidth, height: geometry.paddedHeight) { x, y in
            let (x, y) = (min(x, geometry.width - 1), min(y, geometry.height - 1))
            func sample(_ plane: Int, _ x: Int, _ y: Int) -> Float { Self.sample(image, plane, x, y, format) }
            guard format.isPlanar else { return SIMD4(sample(0, 4 * x + 2, y), sample(0, 4 * x + 1, y), sample(0, 4 * x, y), 0) / 255 }
            return format.colour(luma: sample(0, x, y), cb: sample(1, x / 2 * 2, y / 2), cr: sample(1, x / 2 * 2 + 1, y / 2))
        }
        brightnesses = Grid(width: geometry.paddedWidth, height: geometry.paddedHeight) { x, y in
            let (x, y) = (min(x, geometry.width - 1), min(y, geometry.height - 1))
            return format.isPlanar ? Self.sample(image, 0, x, y, format) / format.lumaRange : Self.sample(image, 0, 4 * x + 1, y, format) / 255
        }
    }

    private static func sample(_ image: CVPixelBuffer, _ plane: Int, _ x: Int, _ y: Int, _ format: PictureFormat) -> Float {
        if format.layout == .deep { return Float(image.plane(plane).row(y, as: UInt16.self)[x] >> 6) }
        return Float(image.plane(plane).row(y, as: UInt8.self)[x])
    }

    /// Linear light of a pixel, highlights expanded as those of a plain surface, coverage 1.
    func light(_ x: Int, _ y: Int, _ parameters: LensParameters) -> SIMD4<Float> { expanded(x, y, cover: 1, parameters) }

    /// As `light`, where a pixel beside darker ones is taken to hold less of a clipped light, since eight bits do not tell.
    func lit(_ x: Int, _ y: Int, _ parameters: LensParameters) -> SIMD4<Float> {
        let (slope, least): (Float, Float) = (0.157, 0.1)
        let here = brightness(x, y)
        var others: Float = 0
        for (dx, dy) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
            others += min(max((brightness(x + dx, y + dy) - here) * 10 + 1, 0), 1)
        }
        return expanded(x, y, cover: min(max(1 - slope * (8 - others), least), 1), parameters)
    }

    private func brightness(_ x: Int, _ y: Int) -> Float { brightnesses.clamped(x, y) }

    private func expanded(_ x: Int, _ y: Int, cover: Float, _ parameters: LensParameters) -> SIMD4<Float> {
        let light = format.decoded(encoded[x, y])
        let peak = max(light.x, light.y, light.z)
        let above = peak - parameters.knee
        let gain = above > 0 && parameters.bend > 0 ? 1 + cover * ((parameters.knee + above / (1 - parameters.bend * above)) / peak - 1) : 1
        return light * SIMD4(gain, gain, gain, 1)
    }

    /// The encoded colour of blurred light, highlights compressed again.
    func coded(_ light: SIMD4<Float>, _ parameters: LensParameters) -> SIMD4<Float> {
        guard !format.isHDR else { return format.encoded(light) }
        let peak = max(light.x, light.y, light.z)
        let above = peak - parameters.knee
        let gain = above > 0 ? (parameters.knee + above / (1 + parameters.bend * above)) / peak : 1
        return format.encoded((light * gain).clamped(lowerBound: .zero, upperBound: .one))
    }

    /// The codes of an encoded colour, as if of eight bits.
    func codes(_ colour: SIMD4<Float>) -> SIMD4<Float> {
        format.isPlanar ? format.codes(colour) / (format.layout == .deep ? 4 : 1) : colour * SIMD4(255, 255, 255, 0)
    }

    // MARK: writing

    /// Writes the colours `compose` gives; where it gives nil, `sharp` keeps its bits.
    func write(to result: CVPixelBuffer, sharp: CVPixelBuffer, compose: (Int, Int) -> SIMD4<Float>?) {
        let (width, height) = result.size
        for top in stride(from: 0, to: height, by: 2) {
            for left in stride(from: 0, to: width, by: 2) {
                var sum = SIMD4<Float>.zero
                var touched = false
                for (x, y) in [(left, top), (left + 1, top), (left, top + 1), (left + 1, top + 1)] {
                    let new = compose(x, y)
                    touched = touched || new != nil
                    sum += new ?? encoded[x, y]
                    if format.isPlanar {
                        set(result, 0, x, y, at: (x, y), to: new.map { format.codes($0).x }, else: sharp)
                    } else {
                        for channel in 0..<4 {
                            set(result, 0, 4 * x + channel, y, at: (x, y), to: channel < 3 ? new.map { $0[2 - channel] * 255 } : nil, else: sharp)
                        }
                    }
                }
                guard format.isPlanar else { continue }
                let codes = touched ? format.codes(sum / 4) : nil
                // Chroma of two blocks goes through the pattern as four values in a row.
                set(result, 1, left, top / 2, at: (left, top / 2), to: codes?.y, else: sharp)
                set(result, 1, left + 1, top / 2, at: (left + 1, top / 2), to: codes?.z, else: sharp)
            }
        }
    }

    private func set(_ result: CVPixelBuffer, _ plane: Int, _ x: Int, _ y: Int, at: (x: Int, y: Int), to value: Float?, else sharp: CVPixelBuffer) {
        let code = value.map { min(max($0 + Self.dither(at.x, at.y), 0), format.layout == .deep ? 1023 : 255) }
        if format.layout == .deep {
            let old = sharp.plane(plane).row(y, as: UInt16.self)[x]
            result.plane(plane).row(y, as: UInt16.self)[x] = code.map { UInt16($0) << 6 } ?? old
        } else {
            result.plane(plane).row(y, as: UInt8.self)[x] = code.map { UInt8($0) } ?? sharp.plane(plane).row(y, as: UInt8.self)[x]
        }
    }

    /// What is added before rounding down: the pattern of `codes.glsl`.
    private static func dither(_ x: Int, _ y: Int) -> Float {
        let pattern: [Float] = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]
        return (pattern[(y & 3) * 4 + (x & 3)] - 7.5) * (0.5 / 16) + 0.5
    }
}

import CoreVideo

/// The twin's view of a pixel buffer: encoded colours, 0…1; beyond its edges they repeat.
struct ReferencePicture {
    private let image: CVPixelBuffer
    private let encoded: Grid<SIMD4<Float>>
    /// Luma, or green.
    private let brightness: Grid<Float>
    private let format: PictureFormat
    private let parameters: LensParameters

    /// `image` in a format that the lens takes.
    init(_ image: CVPixelBuffer, _ parameters: LensParameters) {
        let format = PictureFormat(image)!
        func sample(_ plane: Int, _ x: Int, _ y: Int) -> Float {
            guard format.layout == .deep else { return Float(image.plane(plane).row(y, as: UInt8.self)[x]) }
            return Float(image.plane(plane).row(y, as: UInt16.self)[x] >> 6)
        }
        encoded = Grid(width: image.size.width, height: image.size.height) { x, y in
            guard format.isPlanar else { return SIMD4(sample(0, 4 * x + 2, y), sample(0, 4 * x + 1, y), sample(0, 4 * x, y), 0) / 255 }
            return format.colour(luma: sample(0, x, y), cb: sample(1, x / 2 * 2, y / 2), cr: sample(1, x / 2 * 2 + 1, y / 2))
        }
        brightness = Grid(width: image.size.width, height: image.size.height) { x, y in
            format.isPlanar ? sample(0, x, y) / format.lumaRange : sample(0, 4 * x + 1, y) / 255
        }
        self.image = image
        self.format = format
        self.parameters = parameters
    }

    /// Linear light of a pixel, highlights expanded as those of a plain surface, coverage 1.
    func light(_ x: Int, _ y: Int) -> SIMD4<Float> { expanded(x, y, cover: 1) }

    /// As `light`, but a pixel beside darker ones is taken to hold less of a clipped light, since eight bits do not tell.
    func lit(_ x: Int, _ y: Int) -> SIMD4<Float> {
        var others: Float = -1
        for row in y - 1...y + 1 {
            for column in x - 1...x + 1 { others += min(max((brightness.clamped(column, row) - brightness.clamped(x, y)) * 10 + 1, 0), 1) }
        }
        return expanded(x, y, cover: min(max(1 - LensConstants.rimSlope * (8 - others), LensConstants.rimLeast), 1))
    }

    private func expanded(_ x: Int, _ y: Int, cover: Float) -> SIMD4<Float> {
        let light = format.decoded(encoded.clamped(x, y))
        let peak = max(light.x, light.y, light.z)
        let above = peak - parameters.knee
        guard above > 0, parameters.bend > 0 else { return light }
        let gain = 1 + cover * ((parameters.knee + above / (1 - parameters.bend * above)) / peak - 1)
        return light * SIMD4(gain, gain, gain, 1)
    }

    /// The encoded colour of blurred light, highlights compressed again.
    private func coded(_ light: SIMD4<Float>) -> SIMD4<Float> {
        guard !format.isHDR else { return format.encoded(light) }
        let peak = max(light.x, light.y, light.z)
        let above = peak - parameters.knee
        let gain = above > 0 ? (parameters.knee + above / (1 + parameters.bend * above)) / peak : 1
        return format.encoded((light * gain).clamped(lowerBound: .zero, upperBound: .one))
    }

    /// Writes the light that `compose` gives; where it gives nil for a pixel, or for all four of a chroma sample, the sharp picture's bits.
    func write(to result: CVPixelBuffer, compose: (_ x: Int, _ y: Int) -> SIMD4<Float>?) {
        let colours = Grid(width: encoded.width, height: encoded.height) { x, y in compose(x, y).map(coded) }
        func set(_ plane: Int, _ x: Int, _ y: Int, _ code: Float?) {
            if format.layout == .deep {
                let old = image.plane(plane).row(y, as: UInt16.self)[x]
                result.plane(plane).row(y, as: UInt16.self)[x] = code.map { UInt16(min(max($0.rounded(), 0), 1023)) << 6 } ?? old
            } else {
                let old = image.plane(plane).row(y, as: UInt8.self)[x]
                result.plane(plane).row(y, as: UInt8.self)[x] = code.map { UInt8(min(max($0.rounded(), 0), 255)) } ?? old
            }
        }
        for y in 0..<encoded.height {
            for x in 0..<encoded.width {
                guard format.isPlanar else {
                    for channel in 0..<4 { set(0, 4 * x + channel, y, channel < 3 ? colours[x, y].map { $0[2 - channel] * 255 } : nil) }
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
    }
}

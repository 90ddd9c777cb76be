import CoreVideo
import Foundation

/// The twin's view of a pixel buffer: encoded colours, 0…1, padded as the lens pads.
struct ReferencePicture {
    private let encoded: Grid<SIMD4<Float>>
    /// Luma, or green.
    private let brightnesses: Grid<Float>
    private let isPlanar: Bool

    init(_ image: CVPixelBuffer, geometry: LensGeometry) {
        let planar = geometry.isPlanar
        isPlanar = planar
        encoded = Grid(width: geometry.paddedWidth, height: geometry.paddedHeight) { x, y in
            let (x, y) = (min(x, geometry.width - 1), min(y, geometry.height - 1))
            guard planar else {
                let pixel: UnsafeMutablePointer<UInt8> = image.plane(0).row(y) + 4 * x
                return SIMD4(Float(pixel[2]), Float(pixel[1]), Float(pixel[0]), 0) / 255
            }
            let luma = (Float((image.plane(0).row(y) as UnsafeMutablePointer<UInt8>)[x]) - 16) / 219
            let chroma: UnsafeMutablePointer<UInt8> = image.plane(1).row(y / 2) + x / 2 * 2
            let (cb, cr) = ((Float(chroma[0]) - 128) / 224, (Float(chroma[1]) - 128) / 224)
            let colour = SIMD4(luma + 1.5748 * cr, luma - 0.1873 * cb - 0.4681 * cr, luma + 1.8556 * cb, 0)
            return colour.clamped(lowerBound: .zero, upperBound: .one)
        }
        brightnesses = Grid(width: geometry.paddedWidth, height: geometry.paddedHeight) { x, y in
            let (x, y) = (min(x, geometry.width - 1), min(y, geometry.height - 1))
            let row: UnsafeMutablePointer<UInt8> = image.plane(0).row(y)
            return planar ? Float(row[x]) / 219 : Float(row[4 * x + 1]) / 255
        }
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
        var light = SIMD4<Float>(repeating: 1)
        for channel in 0..<3 {
            let code = encoded[x, y][channel]
            light[channel] = code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
        }
        let peak = max(light.x, light.y, light.z)
        let above = peak - parameters.knee
        let gain = above > 0 ? 1 + cover * ((parameters.knee + above / (1 - parameters.bend * above)) / peak - 1) : 1
        return light * SIMD4(gain, gain, gain, 1)
    }

    /// The encoded colour of blurred light, highlights compressed again.
    static func encoded(_ light: SIMD4<Float>, _ parameters: LensParameters) -> SIMD4<Float> {
        let peak = max(light.x, light.y, light.z)
        let above = peak - parameters.knee
        let gain = above > 0 ? (parameters.knee + above / (1 + parameters.bend * above)) / peak : 1
        var code = SIMD4<Float>.zero
        for channel in 0..<3 {
            let linear = min(max(light[channel] * gain, 0), 1)
            code[channel] = linear <= 0.0031308 ? linear * 12.92 : 1.055 * pow(linear, 1 / 2.4) - 0.055
        }
        return code
    }

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
                    isPlanar ? writeLuma(new, x, y, result, sharp) : writePacked(new, x, y, result, sharp)
                }
                if isPlanar { writeChroma(touched ? sum / 4 : nil, left, top, result, sharp) }
            }
        }
    }

    private func writePacked(_ colour: SIMD4<Float>?, _ x: Int, _ y: Int, _ result: CVPixelBuffer, _ sharp: CVPixelBuffer) {
        let source: UnsafeMutablePointer<UInt8> = sharp.plane(0).row(y) + 4 * x
        let target: UnsafeMutablePointer<UInt8> = result.plane(0).row(y) + 4 * x
        for channel in 0..<4 { target[channel] = source[channel] }
        guard let colour else { return }
        for channel in 0..<3 { target[channel] = Self.eightBits(colour[2 - channel] * 255) }
    }

    private func writeLuma(_ colour: SIMD4<Float>?, _ x: Int, _ y: Int, _ result: CVPixelBuffer, _ sharp: CVPixelBuffer) {
        let source: UnsafeMutablePointer<UInt8> = sharp.plane(0).row(y)
        let target: UnsafeMutablePointer<UInt8> = result.plane(0).row(y)
        target[x] = colour.map { Self.eightBits(Self.luma($0) * 219 + 16) } ?? source[x]
    }

    private func writeChroma(_ colour: SIMD4<Float>?, _ x: Int, _ y: Int, _ result: CVPixelBuffer, _ sharp: CVPixelBuffer) {
        let source: UnsafeMutablePointer<UInt8> = sharp.plane(1).row(y / 2)
        let target: UnsafeMutablePointer<UInt8> = result.plane(1).row(y / 2)
        target[x] = colour.map { Self.eightBits(($0.z - Self.luma($0)) / 1.8556 * 224 + 128) } ?? source[x]
        target[x + 1] = colour.map { Self.eightBits(($0.x - Self.luma($0)) / 1.5748 * 224 + 128) } ?? source[x + 1]
    }

    private static func luma(_ colour: SIMD4<Float>) -> Float { 0.2126 * colour.x + 0.7152 * colour.y + 0.0722 * colour.z }
    private static func eightBits(_ value: Float) -> UInt8 { UInt8(min(max(value + 0.5, 0), 255)) }
}

import Foundation

/// Codes to colours to light and back, exact: what `transfer.glsl` and `colour.glsl` approximate.
extension PictureFormat {
    /// Linear light of an encoded colour, white 1.
    func decoded(_ colour: SIMD4<Float>) -> SIMD4<Float> {
        var light = SIMD4<Float>(repeating: 1)
        for channel in 0..<3 { light[channel] = decoded(colour[channel]) }
        return light
    }

    func encoded(_ light: SIMD4<Float>) -> SIMD4<Float> {
        var colour = SIMD4<Float>.zero
        for channel in 0..<3 { colour[channel] = min(max(encoded(light[channel]), 0), 1) }
        return colour
    }

    private func decoded(_ code: Float) -> Float {
        switch transfer {
        case .sRGB: return code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
        case .hlg: return (code <= 0.5 ? code * code / 3 : (exp((code - 0.55991073) / 0.17883277) + 0.28466892) / 12) * brightest
        case .pq:
            let p = pow(max(code, 0), 1 / 78.84375)
            return pow(max(p - 0.8359375, 0) / (18.8515625 - 18.6875 * p), 1 / 0.1593017578125) * brightest
        }
    }

    private func encoded(_ light: Float) -> Float {
        switch transfer {
        case .sRGB: return light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
        case .hlg:
            let x = light * Float(white)
            return x <= 1.0 / 12 ? (3 * max(x, 0)).squareRoot() : 0.17883277 * log(12 * x - 0.28466892) + 0.55991073
        case .pq:
            let p = pow(max(light / brightest, 0), 0.1593017578125)
            return pow((0.8359375 + 18.8515625 * p) / (1 + 18.6875 * p), 78.84375)
        }
    }

    /// Codes to a colour, 0 to 1.
    func colour(luma: Float, cb: Float, cr: Float) -> SIMD4<Float> {
        let y = (luma - black) / lumaRange
        let (r, b) = (2 * (1 - red) * (cr - grey) / chromaRange, 2 * (1 - blue) * (cb - grey) / chromaRange)
        return SIMD4(y + r, y - (blue * b + red * r) / (1 - red - blue), y + b, 0).clamped(lowerBound: .zero, upperBound: .one)
    }

    /// A colour, 0 to 1, to codes: luma, Cb, Cr, not rounded.
    func codes(_ colour: SIMD4<Float>) -> SIMD4<Float> {
        let y = red * colour.x + (1 - red - blue) * colour.y + blue * colour.z
        return SIMD4(
            y * lumaRange + black, (colour.z - y) / (2 * (1 - blue)) * chromaRange + grey, (colour.x - y) / (2 * (1 - red)) * chromaRange + grey, 0)
    }
}

import Optics

/// Codes to colours to light and back, exact: what `transfer.glsl` and `colour.glsl` approximate.
extension PictureFormat {
    /// Linear light of an encoded colour, white 1.
    func decoded(_ colour: SIMD4<Float>) -> SIMD4<Float> {
        var light = SIMD4<Float>(repeating: 1)
        for channel in 0..<3 { light[channel] = transfer.light(of: colour[channel]) * brightest }
        return light
    }

    func encoded(_ light: SIMD4<Float>) -> SIMD4<Float> {
        var colour = SIMD4<Float>.zero
        for channel in 0..<3 { colour[channel] = min(max(transfer.code(of: light[channel] * Float(transfer.white)), 0), 1) }
        return colour
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

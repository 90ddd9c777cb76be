import CoreVideo
import Foundation

/// Bytes of worked-out pixels, the top row first.
struct TileEncoder {
    let tile: Tile
    /// Whether linear light becomes sRGB.
    let isCoded: Bool

    private func byte(_ value: Float) -> UInt8 { isCoded ? ColorCurve.byte(value) : ColorCurve.plainByte(value) }

    /// Red, green, blue and alpha, the colours multiplied by alpha after the curve.
    private func bytes(_ pixel: SIMD4<Float>) -> SIMD4<UInt8> {
        if pixel.w >= 1 { return SIMD4(byte(pixel.x), byte(pixel.y), byte(pixel.z), 255) }
        guard pixel.w > 0 else { return .zero }
        let straight = pixel.straight
        func multiplied(_ value: Float) -> UInt8 { UInt8(Float(byte(value)) * pixel.w + 0.5) }
        return SIMD4(multiplied(straight.x), multiplied(straight.y), multiplied(straight.z), ColorCurve.plainByte(pixel.w))
    }

    /// Writes the rows of a region that lies within the target.
    func write(_ region: PixelRegion, to base: UnsafeMutableRawPointer, bytesPerRow: Int, _ format: CIFormat) {
        let step = format.bytesPerPixel
        for y in region.minY..<region.maxY {
            let row = base + (region.maxY - 1 - y) * bytesPerRow
            for x in region.minX..<region.maxX {
                let (pixel, place) = (tile[x, y], row + (x - region.minX) * step)
                if let places = format.places {
                    let values = bytes(pixel)
                    for component in 0..<4 { place.storeBytes(of: values[component], toByteOffset: places[component], as: UInt8.self) }
                } else if format == .L8 {
                    place.storeBytes(of: byte(pixel.luma), as: UInt8.self)
                } else {
                    let coded = isCoded ? SIMD4(ColorCurve.coded(pixel.x), ColorCurve.coded(pixel.y), ColorCurve.coded(pixel.z), pixel.w) : pixel
                    if format == .RGBAh {
                        place.storeBytes(of: SIMD4<Float16>(coded), as: SIMD4<Float16>.self)
                    } else {
                        for component in 0..<4 { place.storeBytes(of: coded[component], toByteOffset: 4 * component, as: Float.self) }
                    }
                }
            }
        }
    }

    /// Writes `420v` or `420f`, with the matrix that the buffer is tagged with; a pair of chroma is the mean of its four pixels.
    func write(_ region: PixelRegion, to buffer: CVPixelBuffer, isFull: Bool) {
        let (luma, chroma) = (buffer.plane(0), buffer.plane(1))
        let (red, blue) = BufferPixels.matrix(of: buffer)
        let (black, span, colours): (Float, Float, Float) = isFull ? (0, 255, 255) : (16, 219, 224)
        func colour(_ x: Int, _ y: Int) -> SIMD3<Float> {
            let values = bytes(tile[min(x, region.maxX - 1), max(y, region.minY)])
            return SIMD3(Float(values.x), Float(values.y), Float(values.z)) / 255
        }
        func brightness(_ colour: SIMD3<Float>) -> Float { red * colour.x + (1 - red - blue) * colour.y + blue * colour.z }
        for row in 0..<region.height {
            let line = luma.row(row, as: UInt8.self)
            for x in 0..<region.width { line[x] = UInt8(brightness(colour(region.minX + x, region.maxY - 1 - row)) * span + black + 0.5) }
        }
        for row in 0..<(region.height + 1) / 2 {
            let line = chroma.row(row, as: UInt8.self)
            for x in 0..<(region.width + 1) / 2 {
                let (left, top) = (region.minX + 2 * x, region.maxY - 1 - 2 * row)
                let mean = (colour(left, top) + colour(left + 1, top) + colour(left, top - 1) + colour(left + 1, top - 1)) / 4
                let luma = brightness(mean)
                line[2 * x] = UInt8(max(0, min(255, (mean.z - luma) / (2 * (1 - blue)) * colours + 128.5)))
                line[2 * x + 1] = UInt8(max(0, min(255, (mean.x - luma) / (2 * (1 - red)) * colours + 128.5)))
            }
        }
    }
}

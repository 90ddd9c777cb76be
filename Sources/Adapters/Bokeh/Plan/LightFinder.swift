import CoreVideo

/// Finder of clipped lights: colours of which it cannot be told how much brighter than white they are. One pixel of 2 × 2 is looked at.
struct LightFinder {
    private let image: CVPixelBuffer
    private let format: PictureFormat
    /// The code of a red, green or blue, 0…1, above which it is a light's.
    private let knee: Float

    /// `knee`: linear light, white 1.
    init(_ image: CVPixelBuffer, format: PictureFormat, knee: Float) {
        (self.image, self.format) = (image, format)
        self.knee = format.encoded(SIMD4(repeating: knee)).x
    }

    /// Whether a light lies in these columns, which begin with an even one, and rows, as far as they belong to the picture.
    func hasLight(columns: Range<Int>, rows: Range<Int>) -> Bool {
        let (first, last) = (image.plane(0), image.plane(format.isPlanar ? 1 : 0))
        switch format.layout {
        case .planar: return isLit(columns, rows) { format.peak(first.row($1, as: UInt8.self) + $0, last.row($1 / 2) + $0, unit: 1) }
        case .deep: return isLit(columns, rows) { format.peak(first.row($1, as: UInt16.self) + $0, last.row($1 / 2) + $0, unit: 1.0 / 64) }
        case .packed: return isLit(columns, rows) { format.peak(first.row($1, as: SIMD4<UInt8>.self) + $0) }
        case .wide: return isLit(columns, rows) { format.peak(first.row($1, as: SIMD4<UInt16>.self) + $0) }
        }
    }

    /// `peak`: the brightest red, green or blue of 16 pixels in a row, which begin at (x, y).
    private func isLit(_ columns: Range<Int>, _ rows: Range<Int>, _ peak: (_ x: Int, _ y: Int) -> Float) -> Bool {
        let (width, height) = image.size
        // So narrow a picture costs nothing, however it is drawn.
        guard width >= 16 else { return true }
        let (columns, rows) = (columns.clamped(to: 0..<width), rows.clamped(to: 0..<height))
        return stride(from: rows.lowerBound, to: rows.upperBound, by: 2).contains { y in
            stride(from: columns.lowerBound, to: columns.upperBound, by: 16).contains { peak(min($0, width - 16), y) > knee }
        }
    }
}

extension PictureFormat {
    /// The brightest red, green or blue of 16 pixels.
    fileprivate func peak<Sample: FixedWidthInteger & SIMDScalar>(_ pixels: UnsafePointer<SIMD4<Sample>>) -> Float {
        var most = SIMD4<Sample>.zero
        for pixel in stride(from: 0, to: 16, by: 2) { most.replace(with: pixels[pixel], where: pixels[pixel] .> most) }
        return Float(max(most.x, most.y, most.z)) / Float(Sample.max)
    }

    /// The same of luma and chroma.
    @inline(__always)
    fileprivate func peak<Sample: FixedWidthInteger & SIMDScalar>(
        _ luma: UnsafePointer<Sample>, _ chroma: UnsafePointer<Sample>, unit: Float
    ) -> Float {
        func eight(_ samples: SIMD8<Sample>) -> SIMD8<Float> { SIMD8<Float>(samples) * unit }
        let both = UnsafeRawPointer(chroma).loadUnaligned(as: SIMD16<Sample>.self)
        let y = eight(UnsafeRawPointer(luma).loadUnaligned(as: SIMD16<Sample>.self).evenHalf) - black
        let (b, r) = ((eight(both.evenHalf) - grey) * (2 * (1 - blue) / chromaRange), (eight(both.oddHalf) - grey) * (2 * (1 - red) / chromaRange))
        let g = (b * blue + r * red) * (-1 / (1 - red - blue))
        return (y / lumaRange + pointwiseMax(pointwiseMax(r, b), g)).max()
    }
}

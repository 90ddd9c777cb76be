import CoreVideo

/// Finder of clipped lights: colours of which it cannot be told how much brighter than white they are. One pixel of 2 × 2 is looked at.
struct LightFinder {
    private let image: CVPixelBuffer
    let format: PictureFormat
    /// The code of a red, green or blue, 0…1, above which it is a light's.
    let knee: Float

    /// `knee`: linear light, white 1.
    init(_ image: CVPixelBuffer, format: PictureFormat, knee: Float) {
        (self.image, self.format) = (image, format)
        self.knee = format.encoded(SIMD4(repeating: knee)).x
    }

    /// Whether a light lies in these columns, which begin with an even one, and rows, as far as they belong to the picture.
    func hasLight(columns: Range<Int>, rows: Range<Int>) -> Bool {
        let (first, last) = (image.plane(0), image.plane(format.isPlanar ? 1 : 0))
        switch format.layout {
        case .planar: return isLit(columns, rows) { isPlanarLit(first.row($1) + $0, last.row($1 / 2) + $0, $2) }
        case .deep: return isLit(columns, rows) { isDeepLit(first.row($1) + $0, last.row($1 / 2) + $0, $2) }
        case .packed: return isLit(columns, rows) { format.peak(first.row($1, as: SIMD4<UInt8>.self) + $0, $2) > knee }
        case .wide: return isLit(columns, rows) { format.peak(first.row($1, as: SIMD4<UInt16>.self) + $0, $2) > knee }
        }
    }

    /// `isRowLit`: whether a light is among so many pixels of a row from (x, y) on.
    private func isLit(_ columns: Range<Int>, _ rows: Range<Int>, _ isRowLit: (_ x: Int, _ y: Int, _ count: Int) -> Bool) -> Bool {
        let (width, height) = image.size
        // So narrow a picture costs nothing, however it is drawn.
        guard width >= 16 else { return true }
        let (columns, rows) = (columns.clamped(to: 0..<width), rows.clamped(to: 0..<height))
        guard !columns.isEmpty else { return false }
        // Sixteen pixels at a time, the last ones at the picture's edge.
        let first = min(columns.lowerBound, width - 16)
        let count = min(columns.lowerBound + (columns.count + 15) / 16 * 16, width) - first
        return stride(from: rows.lowerBound, to: rows.upperBound, by: 2).contains { isRowLit(first, $0, count) }
    }
}

extension PictureFormat {
    /// The brightest red, green or blue of every second of so many pixels.
    fileprivate func peak<Sample: FixedWidthInteger & SIMDScalar>(_ pixels: UnsafePointer<SIMD4<Sample>>, _ count: Int) -> Float {
        var most = SIMD4<Sample>.zero
        for pixel in stride(from: 0, to: count, by: 2) { most.replace(with: pixels[pixel], where: pixels[pixel] .> most) }
        return Float(max(most.x, most.y, most.z)) / Float(Sample.max)
    }
}

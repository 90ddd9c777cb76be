import CoreVideo
import Dispatch

/// Codes, 0 to 255, of the brightest red, green or blue in each square of a picture; beyond the picture's edges its last squares go on.
struct BlockPeaks {
    let columns: Int
    let rows: Int
    let codes: [UInt8]

    /// `side`: of a square, pixels, a multiple of 4.
    init(_ image: CVPixelBuffer, format: PictureFormat, side: Int, columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
        let (width, height) = image.size
        let (first, last) = (image.plane(0), image.plane(format.isPlanar ? 1 : 0))
        var codes = [UInt8](repeating: 0, count: columns * rows)
        codes.withUnsafeMutableBufferPointer { codes in
            nonisolated(unsafe) let codes = codes
            DispatchQueue.concurrentPerform(iterations: rows) { row in
                let lines = min(row * side, height - 2)..<min((row + 1) * side, height)
                let target = codes.baseAddress! + row * columns
                switch format.layout {
                case .planar: Self.planar(first, last, UInt8.self, shift: 0, format, width, lines, side, target, columns)
                case .deep: Self.planar(first, last, UInt16.self, shift: 8, format, width, lines, side, target, columns)
                case .packed: Self.packed(first, UInt8.self, width, lines, side, target, columns)
                case .wide: Self.packed(first, UInt16.self, width, lines, side, target, columns)
                }
            }
        }
        self.codes = codes
    }

    private static func planar<Sample: FixedWidthInteger>(
        _ lumaPlane: CVBuffer.Plane, _ chromaPlane: CVBuffer.Plane, _: Sample.Type, shift: Int, _ format: PictureFormat, _ width: Int,
        _ lines: Range<Int>, _ side: Int, _ target: UnsafeMutablePointer<UInt8>, _ columns: Int
    ) {
        // Luma's greatest, and chroma's greatest and least, of each column of the lines; then of each square's columns.
        let scratch = UnsafeMutablePointer<Sample>.allocate(capacity: 3 * width)
        defer { scratch.deallocate() }
        let (luma, high, low) = (scratch, scratch + width, scratch + 2 * width)
        luma.initialize(repeating: 0, count: 2 * width)
        low.initialize(repeating: .max, count: width)
        for y in lines {
            let row = lumaPlane.row(y, as: Sample.self)
            for x in 0..<width { luma[x] = max(luma[x], row[x]) }
        }
        for y in lines.lowerBound / 2..<(lines.upperBound + 1) / 2 {
            let row = chromaPlane.row(y, as: Sample.self)
            for x in 0..<width {
                high[x] = max(high[x], row[x])
                low[x] = min(low[x], row[x])
            }
        }
        let unit = 255 / (format.lumaRange * (shift == 8 ? 64 : 1))
        let black = format.black * (shift == 8 ? 64 : 1), grey = format.grey * (shift == 8 ? 64 : 1)
        let chromaUnit = 255 / (format.chromaRange * (shift == 8 ? 64 : 1))
        let (blue, red) = (2 * (1 - format.blue) * chromaUnit, 2 * (1 - format.red) * chromaUnit)
        let (blueInGreen, redInGreen) = (blue * format.blue / (1 - format.red - format.blue), red * format.red / (1 - format.red - format.blue))
        for column in 0..<columns {
            let from = min(column * side, width - 2), to = min((column + 1) * side, width)
            var (most, cbHigh, crHigh, cbLow, crLow) = (Sample.zero, Sample.zero, Sample.zero, Sample.max, Sample.max)
            for x in from..<to { most = max(most, luma[x]) }
            for x in stride(from: from, to: to, by: 2) {
                (cbHigh, crHigh) = (max(cbHigh, high[x]), max(crHigh, high[x + 1]))
                (cbLow, crLow) = (min(cbLow, low[x]), min(crLow, low[x + 1]))
            }
            let offset = max(
                (Float(cbHigh) - grey) * blue, (Float(crHigh) - grey) * red,
                (grey - Float(cbLow)) * blueInGreen + (grey - Float(crLow)) * redInGreen)
            target[column] = UInt8(min(max((Float(most) - black) * unit + offset, 0), 255))
        }
    }

    private static func packed<Sample: FixedWidthInteger>(
        _ plane: CVBuffer.Plane, _: Sample.Type, _ width: Int, _ lines: Range<Int>, _ side: Int, _ target: UnsafeMutablePointer<UInt8>, _ columns: Int
    ) {
        for column in 0..<columns { target[column] = 0 }
        for y in lines {
            let row = plane.row(y, as: Sample.self)
            for column in 0..<columns {
                var most = Sample(target[column]) << Sample(Sample.bitWidth - 8)
                for x in min(column * side, width - 2)..<min((column + 1) * side, width) {
                    most = max(most, max(row[4 * x], max(row[4 * x + 1], row[4 * x + 2])))
                }
                target[column] = UInt8(truncatingIfNeeded: most >> Sample(Sample.bitWidth - 8))
            }
        }
    }
}

import CoreVideo
import Dispatch

/// Codes, 0 to 255, of the brightest red, green or blue in each square of a picture; beyond the picture's edges its last squares go on.
struct BlockPeaks {
    let columns: Int
    let rows: Int
    let codes: [UInt8]

    /// `side`: of a square, pixels, a power of two from 4 on.
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
                case .planar: Self.planar(first, last, format, lines, side, target, columns)
                case .deep: Self.deep(first, last, format, lines, side, target, columns)
                case .packed: Self.packed(first, UInt8.self, width, lines, side, target, columns)
                case .wide: Self.packed(first, UInt16.self, width, lines, side, target, columns)
                }
            }
        }
        self.codes = codes
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

import CoreVideo
import Foundation
import Pipeline

/// Display orientation: a rotation by quarter turns, mirrored or not, that brings a stored picture upright.
struct Orientation: Equatable {
    /// Matrix of the orientation: a stored pixel (x, y) shows at (ax + cy, bx + dy), moved into the picture; each is -1, 0 or 1.
    var a = 1
    var b = 0
    var c = 0
    var d = 1

    static let upright = Orientation()

    var swapsSides: Bool { a == 0 }

    /// Reads a display matrix (nine 16.16 numbers, as containers keep it); nil unless it is a rotation by quarter turns.
    init?(displayMatrix m: [Int32]) {
        let scale = [0, 1, 3, 4].map { abs(Double(m[$0])) }.max() ?? 0
        guard scale > 0 else { return nil }
        let parts = [0, 1, 3, 4].map { Double(m[$0]) / scale }
        guard parts.allSatisfy({ abs($0 - $0.rounded()) < 0.02 }) else { return nil }
        (a, b, c, d) = (Int(parts[0].rounded()), Int(parts[1].rounded()), Int(parts[2].rounded()), Int(parts[3].rounded()))
        guard abs(a) + abs(b) == 1, abs(c) + abs(d) == 1, a * c + b * d == 0 else { return nil }
    }

    private init() {}

    /// Clockwise rotation in degrees, and whether a mirror follows it.
    var posture: (rotation: Int, isMirrored: Bool) {
        let isMirrored = a * d - b * c < 0
        let (x, y) = isMirrored ? (-a, b) : (a, b)
        return (x == 1 ? 0 : y == 1 ? 90 : x == -1 ? 180 : 270, isMirrored)
    }

    /// Orientation that turns the upright picture back to the stored one: the transposed matrix.
    var inverse: Orientation {
        var inverse = self
        (inverse.b, inverse.c) = (c, b)
        return inverse
    }

    /// Size of the upright picture of a stored one.
    func size(of stored: (width: Int, height: Int)) -> (width: Int, height: Int) {
        swapsSides ? (stored.height, stored.width) : stored
    }

    /// Copies a stored picture upright into a buffer of the turned size and the same format.
    func copy(_ stored: CVPixelBuffer, to upright: CVPixelBuffer) {
        precondition(stored.format == upright.format && size(of: stored.size) == upright.size)
        switch stored.format {
        case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange:
            copy(stored.plane(0), to: upright.plane(0), as: UInt8.self)
            copy(stored.plane(1), to: upright.plane(1), as: UInt16.self)
        case kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange:
            copy(stored.plane(0), to: upright.plane(0), as: UInt16.self)
            copy(stored.plane(1), to: upright.plane(1), as: UInt32.self)
        default: copy(stored.plane(0), to: upright.plane(0), as: UInt32.self)
        }
        PictureCopies.count(.rotation, of: upright)
    }

    private func copy<Pixel>(_ source: CVPixelBuffer.Plane, to target: CVPixelBuffer.Plane, as type: Pixel.Type) {
        let bytes = MemoryLayout<Pixel>.stride
        let firstX = a + b < 0 ? source.width - 1 : 0
        let firstY = c + d < 0 ? source.height - 1 : 0
        let first = source.base + firstY * source.bytesPerRow + firstX * bytes
        let alongRow = a * bytes + c * source.bytesPerRow
        let downColumn = b * bytes + d * source.bytesPerRow
        for y in 0..<target.height {
            var from = first + y * downColumn
            let to = target.row(y, as: Pixel.self)
            for x in 0..<target.width {
                to[x] = from.load(as: Pixel.self)
                from += alongRow
            }
        }
    }
}

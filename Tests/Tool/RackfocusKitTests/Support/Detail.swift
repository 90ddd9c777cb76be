import CoreVideo
import Foundation

/// Part of a box whose detail is summed.
enum DetailShape { case rectangle, ellipse }

extension CVPixelBuffer {
    /// Sum of the luma's differences to the right and below, inside a box in shares of the picture, or the ellipse in it.
    func detail(in bounds: CGRect, _ shape: DetailShape) -> Double {
        let (width, height) = size
        let columns = max(Int(bounds.minX * Double(width)), 0)..<min(Int(bounds.maxX * Double(width)), width - 1)
        let rows = max(Int(bounds.minY * Double(height)), 0)..<min(Int(bounds.maxY * Double(height)), height - 1)
        var sum = 0
        for y in rows {
            let (row, below) = (plane(0).row(y, as: UInt8.self), plane(0).row(y + 1, as: UInt8.self))
            for x in columns {
                let across = ((Double(x) + 0.5) / Double(width) - bounds.midX) / (bounds.width / 2)
                let down = ((Double(y) + 0.5) / Double(height) - bounds.midY) / (bounds.height / 2)
                guard shape == .rectangle || across * across + down * down < 1 else { continue }
                sum += abs(Int(row[x + 1]) - Int(row[x])) + abs(Int(below[x]) - Int(row[x]))
            }
        }
        return Double(sum)
    }
}

import CoreVideo
import Foundation

/// Disparity map of a picture, at its size or smaller, same aspect, or, where no lens reads it, with fewer rows. Larger is nearer.
///
/// Values are finite and ≥ 0, in 1/m (where `isMetric` is false: any affine of it). Holes of a recording have no `confidence` until they are filled.
public struct DisparityMap: Sendable {
    /// Values as `kCVPixelFormatType_DisparityFloat32`, row after row.
    public let buffer: CVPixelBuffer
    /// Whether the values are known to be 1/m.
    public let isMetric: Bool

    /// Confidence mask, `OneComponent8`, same aspect, any size: 255 where disparity was measured, in a guess where its subjects are, else 0; nil when all of
    /// it is known.
    public let confidence: CVPixelBuffer?

    /// Wraps a pixel buffer without copying it; traps unless it holds 32-bit disparity.
    public init(buffer: CVPixelBuffer, confidence: CVPixelBuffer? = nil, isMetric: Bool = false) {
        self.isMetric = isMetric
        precondition(CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_DisparityFloat32, "a disparity map holds 32-bit floats")
        self.buffer = buffer
        self.confidence = confidence
    }

    /// Values per row.
    public var width: Int { CVPixelBufferGetWidth(buffer) }
    /// Rows.
    public var height: Int { CVPixelBufferGetHeight(buffer) }

    /// Values of row `y`, `width` of them.
    package func row(_ y: Int) -> UnsafeMutablePointer<Float> { buffer.plane(0).row(y) }

    /// Median disparity of a region (0…1, origin top left), sampled on a grid of at most 32 × 32; nil when it misses the picture.
    ///
    /// Only measured values count where an eighth of the samples or more were measured; else filled ones count as well.
    public func median(in region: CGRect) -> Double? { median(in: region, above: -.infinity) }

    /// Ambient disparity: the largest median among nine cells of the middle 40 %, the nearest surface there; nil without any number.
    package var ambient: Double? {
        var nearest: Double?
        for cell in 0..<9 {
            let region = CGRect(x: 0.3 + 0.4 / 3 * Double(cell % 3), y: 0.3 + 0.4 / 3 * Double(cell / 3), width: 0.4 / 3, height: 0.4 / 3)
            if let value = median(in: region, above: nearest.map { Float($0) } ?? -.infinity) { nearest = value }
        }
        return nearest
    }

    /// The median of a region when it is greater than `least`.
    private func median(in region: CGRect, above least: Float) -> Double? {
        guard let columns = Samples(from: region.minX, to: region.maxX, count: width),
            let rows = Samples(from: region.minY, to: region.maxY, count: height)
        else { return nil }
        let all = columns.count * rows.count
        return withUnsafeTemporaryAllocation(of: Float.self, capacity: all) { values in
            let measured = confidence.map { gather(columns, rows, measuredBy: $0, into: values) } ?? 0
            let count = measured > 0 && measured * 8 >= all ? measured : gather(columns, rows, measuredBy: nil, into: values)
            let known = UnsafeMutableBufferPointer(rebasing: values[..<count])
            guard known.contains(where: { $0 > least }) else { return nil }
            let median = Self.select(count / 2, of: known)
            return median > least ? Double(median) : nil
        }
    }

    /// Collects values, only those that `trust` (0…255) calls measured where it is given; returns how many.
    private func gather(
        _ columns: Samples, _ rows: Samples, measuredBy trust: CVPixelBuffer?, into values: UnsafeMutableBufferPointer<Float>
    ) -> Int {
        var count = 0
        for sample in 0..<rows.count {
            let y = rows[sample]
            let line = row(y)
            if let trust {
                let trusted = trust.plane(0).row(y * trust.size.height / height, as: UInt8.self)
                for x in 0..<columns.count where trusted[columns[x] * trust.size.width / width] > 127 {
                    values[count] = line[columns[x]]
                    count += 1
                }
            } else {
                if columns.step == 1 {
                    (values.baseAddress! + count).update(from: line + columns.first, count: columns.count)
                } else {
                    for x in 0..<columns.count { values[count + x] = line[columns[x]] }
                }
                count += columns.count
            }
        }
        return count
    }

    /// The value that would be at `rank` if all were sorted (Hoare's selection); moves them about.
    private static func select(_ rank: Int, of values: UnsafeMutableBufferPointer<Float>) -> Float {
        var (low, high) = (0, values.count - 1)
        let first = values[low]
        if values.allSatisfy({ $0 == first }) { return first }
        while low < high {
            let pivot = values[(low + high) / 2]
            var (left, right) = (low, high)
            while left <= right {
                while values[left] < pivot { left += 1 }
                while pivot < values[right] { right -= 1 }
                guard left <= right else { break }
                values.swapAt(left, right)
                (left, right) = (left + 1, right - 1)
            }
            if rank <= right { high = right } else if rank >= left { low = left } else { break }
        }
        return values[rank]
    }

    /// At most 32 pixel indices spread over a 0…1 interval of `count` pixels; a point gives the one pixel below it.
    private struct Samples {
        let first: Int
        let step: Int
        let count: Int

        /// Nil when the interval misses the picture.
        init?(from low: Double, to high: Double, count pixels: Int) {
            guard high >= 0, low <= 1 else { return nil }
            first = min(Int(max(low, 0) * Double(pixels)), pixels - 1)
            let last = max(Int((min(high, 1) * Double(pixels)).rounded(.up)) - 1, first)
            step = (last - first) / 32 + 1
            count = (last - first) / step + 1
        }

        subscript(index: Int) -> Int { first + index * step }
    }
}

extension CGRect {
    /// Part of a box in which its disparity is measured, half as wide and as high: the corners are not of what fills it.
    package var innerHalf: CGRect { insetBy(dx: width / 4, dy: height / 4) }
}

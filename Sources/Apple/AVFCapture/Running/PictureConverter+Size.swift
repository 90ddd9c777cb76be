import CPixelLoops
import CoreVideo
import Foundation

/// Width and height in pixels.
package struct PictureSize: Equatable, Sendable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
    package init(of picture: CVPixelBuffer) { (width, height) = picture.size }

    /// Whether the size is not above `source`, even, and of its shape to within two pixels.
    func fits(_ source: PictureSize) -> Bool {
        width > 0 && height > 0 && width <= source.width && height <= source.height && width % 2 == 0 && height % 2 == 0
            && abs(width * source.height - height * source.width) <= 2 * max(source.width, source.height)
    }
}

extension PictureConverter {
    /// Whether pictures of a format can be resampled: those that are written.
    package static func canResample(_ format: OSType) -> Bool {
        let formats = [
            kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_32BGRA,
            kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange,
        ]
        return formats.contains(format)
    }

    /// Resamples a part (0…1) of a picture of eight or ten bits to another size: area averaging where it shrinks, linear interpolation where the part
    /// is enlarged.
    package func resample(
        _ picture: CVPixelBuffer, part: CGRect = CGRect(x: 0, y: 0, width: 1, height: 1), width: Int, height: Int
    ) -> CVPixelBuffer {
        let result = makeBuffer(width: width, height: height, format: picture.format)
        let channelsOfPlanes = picture.format == kCVPixelFormatType_32BGRA ? [4] : [1, 2]
        for (index, channels) in channelsOfPlanes.enumerated() {
            let (source, target) = (picture.plane(index), result.plane(index))
            let columns = Taps(from: part.minX, share: part.width, source: source.width, target: target.width)
            let rows = Taps(from: part.minY, share: part.height, source: source.height, target: target.height)
            let bands = min(8, target.height)
            DispatchQueue.concurrentPerform(iterations: bands) { band in
                let lines = target.height * band / bands..<target.height * (band + 1) / bands
                if picture.format == kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange {
                    Self.resample(
                        source, as: UInt16.self, UInt64.self, spare: 6, into: target, lines: lines, rows: rows, columns: columns, channels: channels)
                } else {
                    Self.resample(
                        source, as: UInt8.self, UInt32.self, spare: 0, into: target, lines: lines, rows: rows, columns: columns, channels: channels)
                }
            }
        }
        return result
    }

    /// - Parameters:
    ///   - sum: type that holds a sample times 4096 × 4096.
    ///   - spare: lowest bits of a sample that are not used.
    private static func resample<Sample: FixedWidthInteger, Sum: FixedWidthInteger>(
        _ source: CVBuffer.Plane, as sample: Sample.Type, _ sum: Sum.Type, spare: Int, into target: CVBuffer.Plane, lines: Range<Int>, rows: Taps,
        columns: Taps, channels: Int
    ) {
        let width = source.width * channels
        withUnsafeTemporaryAllocation(of: Sum.self, capacity: width) { sums in
            let sums = sums.baseAddress!
            for y in lines {
                sums.update(repeating: 0, count: width)
                for tap in rows.range(of: y) {
                    let (from, weight) = (
                        source.row(rows.first[y] + tap - rows.start[y], as: Sample.self), Sum(truncatingIfNeeded: rows.weights[tap])
                    )
                    for x in 0..<width { sums[x] &+= weight &* Sum(truncatingIfNeeded: from[x]) }
                }
                let line = target.row(y, as: Sample.self)
                for x in 0..<target.width {
                    for channel in 0..<channels {
                        var sum: Sum = 1 << (23 + spare)
                        var place = columns.first[x] * channels + channel
                        for tap in columns.range(of: x) {
                            sum &+= Sum(truncatingIfNeeded: columns.weights[tap]) &* sums[place]
                            place += channels
                        }
                        line[x * channels + channel] = Sample(truncatingIfNeeded: (sum >> (24 + spare)) << spare)
                    }
                }
            }
        }
    }

    /// Filter taps of each pixel of a line: consecutive source pixels and their weights, 4096 in all.
    private struct Taps: Sendable {
        var first: [Int] = []
        /// Index of a pixel's first weight; one more at the end.
        var start = [0]
        var weights: [UInt32] = []

        init(from origin: Double, share: Double, source: Int, target: Int) {
            let step = share * Double(source) / Double(target)
            for index in 0..<target {
                let low = origin * Double(source) + Double(index) * step
                // Shrinking: the share of each pixel that is covered; enlarging: the nearness of each to the middle.
                let shares = step >= 1 ? Self.covered(low, low + step, source) : Self.between(low + step / 2 - 0.5, source)
                first.append(shares.first)
                let sum = shares.weights.reduce(0, +)
                var rounded = shares.weights.map { UInt32(($0 / sum * 4096).rounded()) }
                let largest = rounded.indices.max { rounded[$0] < rounded[$1] } ?? 0
                rounded[largest] = rounded[largest] &+ 4096 &- rounded.reduce(0, &+)
                weights += rounded
                start.append(weights.count)
            }
        }

        func range(of index: Int) -> Range<Int> { start[index]..<start[index + 1] }

        private static func covered(_ low: Double, _ high: Double, _ count: Int) -> (first: Int, weights: [Double]) {
            let first = min(max(Int(low + 1e-9), 0), count - 1)
            let last = min(max(Int((high - 1e-9).rounded(.up)) - 1, first), count - 1)
            let weights = (first...last).map { index -> Double in
                let (begin, end) = (max(low, Double(index)), min(high, Double(index + 1)))
                return max(end - begin, 1e-9)
            }
            return (first, weights)
        }

        private static func between(_ middle: Double, _ count: Int) -> (first: Int, weights: [Double]) {
            let first = min(max(Int(middle.rounded(.down)), 0), count - 1)
            guard first + 1 < count, middle > Double(first) else { return (first, [1]) }
            return (first, [Double(first + 1) - middle, middle - Double(first)])
        }
    }

    /// Converts eight bits to ten: they become the upper ones.
    func toTenBits(_ picture: CVPixelBuffer, format: OSType) -> CVPixelBuffer {
        let (width, height) = picture.size
        let result = makeBuffer(width: width, height: height, format: format)
        for index in 0..<2 {
            let (source, target) = (picture.plane(index), result.plane(index))
            let count = index == 0 ? source.width : 2 * source.width
            for y in 0..<source.height { CPixelLoops_widen(source.row(y, as: UInt8.self), target.row(y), count) }
        }
        return result
    }
}

import Foundation

/// Resampler whose ratio changes from block to block: windowed sinc of 16 taps (Kaiser, β = 8) over the last seconds of sound. Not for several threads.
///
/// Each block begins where the one before ended, so that a drifting clock makes no click.
struct DriftResampler {
    static let taps = 16
    private static let phases = 256
    /// A filter for each fraction of a sample, one more than there are phases.
    private static let filters: [Float] = (0...phases).flatMap { phase -> [Float] in
        let fraction = Double(phase) / Double(phases)
        let weights = (0..<taps).map { tap -> Double in
            let x = Double(tap - taps / 2 + 1) - fraction
            let edge = x / Double(taps / 2)
            guard abs(edge) < 1 else { return 0 }
            return (abs(x) < 1e-9 ? 1 : sin(.pi * x) / (.pi * x)) * bessel(8 * (1 - edge * edge).squareRoot()) / bessel(8)
        }
        let sum = weights.reduce(0, +)
        return weights.map { Float($0 / sum) }
    }

    /// Modified Bessel function of the first kind and order zero, by its series.
    private static func bessel(_ x: Double) -> Double {
        var (sum, term, k) = (1.0, 1.0, 1.0)
        while term > 1e-12 * sum {
            term *= (x / (2 * k)) * (x / (2 * k))
            sum += term
            k += 1
        }
        return sum
    }

    private let channels: Int
    private let capacity: Int
    /// Last sound, interleaved, and the position of its first sample.
    private var kept: [Float] = []
    private var first: Int64 = 0
    /// Position of the next output sample among the input; nil before the first.
    private var next: Double?

    init(channels: Int, capacity: Int) { (self.channels, self.capacity) = (channels, capacity) }

    /// Samples taken in so far.
    var count: Int64 { first + Int64(kept.count / channels) }

    mutating func append(_ samples: UnsafeBufferPointer<Float>) {
        kept += samples
        let surplus = kept.count / channels - capacity
        guard surplus > capacity / 4 else { return }
        kept.removeFirst(surplus * channels)
        first += Int64(surplus)
    }

    /// Returns `count` samples, from where the last block ended up to position `end` of the input; zeros where there is none.
    ///
    /// - Parameter start: position for the first block, and where the last one ended farther than `tolerance` samples away.
    mutating func block(of count: Int, from start: Double, to end: Double, tolerance: Double) -> [Float] {
        let begin = next.flatMap { abs($0 - start) <= tolerance ? $0 : nil } ?? start
        next = end
        var output = [Float](repeating: 0, count: count * channels)
        guard count > 0 else { return output }
        let step = (end - begin) / Double(count)
        let available = kept.count / channels
        for index in 0..<count {
            let position = begin + Double(index) * step - Double(first)
            let whole = position.rounded(.down)
            let base = Int(whole) - Self.taps / 2 + 1
            guard base >= 0, base + Self.taps <= available else { continue }
            let phase = Int(((position - whole) * Double(Self.phases)).rounded())
            for channel in 0..<channels {
                var sum: Float = 0
                for tap in 0..<Self.taps { sum += Self.filters[phase * Self.taps + tap] * kept[(base + tap) * channels + channel] }
                output[index * channels + channel] = sum
            }
        }
        return output
    }
}

import Foundation

/// Weights of consecutive pixels that make one.
package struct Taps: Sendable {
    /// Place of the first.
    package let start: Int
    /// Weights, whose sum is 1.
    package let weights: [Float]
    /// Place behind the last.
    package var end: Int { start + weights.count }

    /// Makes taps of their parts.
    package init(start: Int, weights: [Float]) {
        self.start = start
        self.weights = weights
    }

    /// Taps of each pixel of a range by Lanczos' window (Duchon 1979), which widens where the picture shrinks; `scale` is the new size by the old.
    package static func lanczos(_ range: Range<Int>, scale: Double, lobes: Double = 3) -> [Taps] {
        let width = max(1, 1 / scale)
        return range.map { place in
            let centre = (Double(place) + 0.5) / scale - 0.5
            let start = Int((centre - lobes * width).rounded(.down))
            let weights = (start...Int((centre + lobes * width).rounded(.up))).map { window((Double($0) - centre) / width, lobes) }
            let sum = weights.reduce(0, +)
            return Taps(start: start, weights: weights.map { Float($0 / sum) })
        }
    }

    private static func window(_ x: Double, _ lobes: Double) -> Double {
        guard abs(x) < lobes else { return 0 }
        guard abs(x) > 1e-9 else { return 1 }
        return lobes * sin(.pi * x) * sin(.pi * x / lobes) / (.pi * .pi * x * x)
    }
}

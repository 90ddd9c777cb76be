import Foundation

/// Matched disparities on their way to a map without holes: each value has a weight of trust, 0…1.
struct StereoField {
    var values: [Float]
    private(set) var weights: [Float]
    let width: Int
    let height: Int

    /// Negative values are holes; so is what would lie outside the right eye's picture.
    init(values: [Float], width: Int, height: Int) {
        self.values = values
        self.width = width
        self.height = height
        weights = .init(repeating: 0, count: values.count)
        for y in 0..<height {
            for x in 0..<width where values[y * width + x] >= 0 && values[y * width + x] <= Float(x) { weights[y * width + x] = 1 }
        }
    }

    /// A hole beside a foreground is what the other eye could not see: it continues the background, the smaller of its two neighbours.
    mutating func closeHoles() {
        for y in 0..<height {
            var x = 0
            while x < width {
                guard weights[y * width + x] == 0 else {
                    x += 1
                    continue
                }
                var end = x
                while end < width, weights[y * width + end] == 0 { end += 1 }
                fill(y, from: x, to: end)
                x = end
            }
        }
    }

    /// What is filled in counts little, the less the farther it is from a measured pixel.
    private mutating func fill(_ y: Int, from first: Int, to end: Int) {
        let left = first > 0 ? edge(y, first - 1, step: -1) : nil
        let right = end < width ? edge(y, end, step: 1) : nil
        guard let value = [left, right].compactMap({ $0 }).min() else { return }
        for x in first..<end {
            let distance = min(left == nil ? Int.max : x - first, right == nil ? Int.max : end - 1 - x)
            values[y * width + x] = value
            weights[y * width + x] = 0.15 / (1 + 0.1 * Float(distance))
        }
    }

    /// The median of up to five measured values from `x` on.
    private func edge(_ y: Int, _ x: Int, step: Int) -> Float {
        var found: [Float] = []
        var i = x
        while i >= 0, i < width, found.count < 5, weights[y * width + i] == 1 {
            found.append(values[y * width + i])
            i += step
        }
        found.sort()
        return found[found.count / 2]
    }
}

/// The last frame's matches, to steady the next one's.
struct StereoMemory {
    private var luma: Raster?
    private var values: [Float] = []

    /// Where the picture is the same as before, nearly equal disparities are averaged and holes keep the old value.
    mutating func steady(_ fresh: inout [Float], luma current: Raster, keep: Float) {
        if let luma, luma.width == current.width, luma.height == current.height {
            for i in 0..<fresh.count where values[i] >= 0 {
                let change = abs(Int(luma.bytes[i]) - Int(current.bytes[i]))
                guard change <= 6 else { continue }
                if fresh[i] < 0 {
                    if change <= 3 { fresh[i] = values[i] }
                } else if abs(fresh[i] - values[i]) < 1 {
                    fresh[i] += (values[i] - fresh[i]) * keep
                }
            }
        }
        luma = current
        values = fresh
    }
}

import CoreVideo
import Foundation
import Pipeline

/// Measures how far a lens blurred a part of a picture: the diameter of the disc that, drawn over the sharp part, comes nearest to the
/// rendered one.
///
/// Discs are drawn within the part only, as a lens does that paints in layers. The luma codes are squared, which is light nearly enough.
struct BlurMeter {
    private let width: Int
    private let height: Int
    private let sharp: [Float]
    private let shallow: [Float]
    /// Greatest diameter that is tried, pixels; nothing here is blurred further.
    private static let greatest = 128.0

    init(sharp: CVPixelBuffer, shallow: CVPixelBuffer) {
        precondition(sharp.size == shallow.size && sharp.isPlanar && shallow.isPlanar, "blur is measured between pictures of one size, in 420v")
        (width, height) = sharp.size
        self.sharp = Self.light(of: sharp)
        self.shallow = Self.light(of: shallow)
    }

    /// Diameter in pixels; nil where the part is empty or has too little texture. `part` marks pixels row after row.
    func diameter(in part: [Bool]) -> Double? {
        let sums = Sums(of: sharp, in: part, width: width, height: height)
        var candidates: [(diameter: Double, error: Double)] = []
        func measure(_ diameter: Double) { candidates.append((diameter, error(diameter, in: part, sums))) }
        var diameter = 0.0
        while diameter <= Self.greatest {
            measure(diameter)
            diameter = max(2, diameter * 1.4)
        }
        guard let best = candidates.indices.min(by: { candidates[$0].error < candidates[$1].error }),
            let worst = candidates.map(\.error).max(), worst - candidates[best].error > 1e-6
        else { return nil }
        var (low, high) = (candidates[max(best - 1, 0)].diameter, candidates[min(best + 1, candidates.count - 1)].diameter)
        for _ in 0..<5 {
            let (a, b) = (low + (high - low) / 3, high - (high - low) / 3)
            if error(a, in: part, sums) < error(b, in: part, sums) { high = b } else { low = a }
        }
        measure((low + high) / 2)
        return candidates.min { $0.error < $1.error }?.diameter
    }

    /// Mean squared difference between the rendered part and the sharp one under a disc, on every other pixel.
    private func error(_ diameter: Double, in part: [Bool], _ sums: Sums) -> Double {
        let radius = diameter / 2
        let spans = (-Int(radius)...Int(radius)).map { dy in
            (dy: dy, reach: Int((radius * radius - Double(dy * dy)).squareRoot().rounded()))
        }
        var (total, count) = (0.0, 0)
        for y in stride(from: 0, to: height, by: 2) {
            for x in stride(from: 0, to: width, by: 2) where part[y * width + x] {
                var (light, weight) = (0.0 as Float, 0.0 as Float)
                for (dy, reach) in spans where y + dy >= 0 && y + dy < height {
                    let row = (y + dy) * (width + 1)
                    let (from, to) = (row + max(x - reach, 0), row + min(x + reach + 1, width))
                    light += sums.light[to] - sums.light[from]
                    weight += sums.weight[to] - sums.weight[from]
                }
                let difference = Double(light / max(weight, 1) - shallow[y * width + x])
                total += difference * difference
                count += 1
            }
        }
        return count == 0 ? 0 : total / Double(count)
    }

    /// Running sums along each row, of the part's pixels only.
    private struct Sums {
        var light: [Float]
        var weight: [Float]

        init(of picture: [Float], in part: [Bool], width: Int, height: Int) {
            light = [Float](repeating: 0, count: (width + 1) * height)
            weight = light
            for y in 0..<height {
                for x in 0..<width {
                    let (from, to, isIn) = (y * (width + 1) + x, y * (width + 1) + x + 1, part[y * width + x])
                    light[to] = light[from] + (isIn ? picture[y * width + x] : 0)
                    weight[to] = weight[from] + (isIn ? 1 : 0)
                }
            }
        }
    }

    private static func light(of picture: CVPixelBuffer) -> [Float] {
        let (width, height) = picture.size
        var light = [Float](repeating: 0, count: width * height)
        for y in 0..<height {
            let row = picture.plane(0).row(y, as: UInt8.self)
            for x in 0..<width {
                let code = min(max((Float(row[x]) - 16) / 219, 0), 1)
                light[y * width + x] = code * code
            }
        }
        return light
    }
}

extension CVPixelBuffer {
    fileprivate var isPlanar: Bool { format == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange }
}

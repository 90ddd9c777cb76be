import CoreVideo
import Dispatch
import Foundation

/// SSIM of the luma of two BGRA pictures (Wang et al. 2004): windows of 11 × 11 under a Gaussian of 1.5 pixels.
///
/// Windows at an edge repeat the picture's last pixel.
struct StructuralSimilarity {
    private let width: Int
    private let values: [Float]

    private static let reach = 5
    private static let bell: [Float] = {
        let weights = (-reach...reach).map { exp(-Float($0 * $0) / (2 * 1.5 * 1.5)) }
        return weights.map { $0 / weights.reduce(0, +) }
    }()

    /// Compares pictures of one size.
    init(_ a: CVPixelBuffer, _ b: CVPixelBuffer) {
        let (width, height) = a.size
        self.width = width
        let (lumaA, lumaB) = (Self.luma(a), Self.luma(b))
        values = [Float](unsafeUninitializedCapacity: width * height) { values, count in
            nonisolated(unsafe) let values = values
            DispatchQueue.concurrentPerform(iterations: height) { y in
                let row = Self.row(y, lumaA, lumaB, width, height)
                for x in 0..<width { values[y * width + x] = row[x] }
            }
            count = width * height
        }
    }

    /// SSIM of the window around one pixel, 1 where both are alike.
    subscript(x: Int, y: Int) -> Float { values[y * width + x] }

    var mean: Double { values.isEmpty ? 1 : values.reduce(0) { $0 + Double($1) } / Double(values.count) }

    private static func luma(_ picture: CVPixelBuffer) -> [Float] {
        let (width, height) = picture.size
        return (0..<height).flatMap { y in
            let row = picture.plane(0).row(y, as: UInt8.self)
            return (0..<width).map { 0.0722 * Float(row[4 * $0]) + 0.7152 * Float(row[4 * $0 + 1]) + 0.2126 * Float(row[4 * $0 + 2]) }
        }
    }

    private static func row(_ y: Int, _ a: [Float], _ b: [Float], _ width: Int, _ height: Int) -> [Float] {
        // Means of a, b, a², b² and ab down each column; the last in a vector of its own.
        var columns = [SIMD4<Float>](repeating: .zero, count: width + 2 * reach)
        var products = [Float](repeating: 0, count: width + 2 * reach)
        for (index, weight) in bell.enumerated() {
            let line = min(max(y + index - reach, 0), height - 1) * width
            for x in columns.indices {
                let at = line + min(max(x - reach, 0), width - 1)
                columns[x] += SIMD4(a[at], b[at], a[at] * a[at], b[at] * b[at]) * weight
                products[x] += a[at] * b[at] * weight
            }
        }
        return (0..<width).map { x in
            var (means, product) = (SIMD4<Float>.zero, Float(0))
            for (index, weight) in bell.enumerated() {
                means += columns[x + index] * weight
                product += products[x + index] * weight
            }
            let (c1, c2): (Float, Float) = (6.5025, 58.5225)
            let (p, q, pq) = (means.x * means.x, means.y * means.y, means.x * means.y)
            return (2 * pq + c1) * (2 * (product - pq) + c2) / ((p + q + c1) * ((means.z - p) + (means.w - q) + c2))
        }
    }
}

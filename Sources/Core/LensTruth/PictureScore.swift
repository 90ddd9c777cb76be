import CoreVideo
import Foundation
import Pipeline

/// Distance of a BGRA picture from another: PSNR in dB of 8-bit codes, and structural similarity (SSIM) of luma.
public struct PictureScore: Sendable, Equatable {
    /// PSNR over all pixels, dB; infinite for equal pictures.
    public var overall: Double
    /// PSNR over the marked pixels, dB; infinite where none is marked or all agree.
    public var nearEdges: Double
    /// Mean SSIM of luma, -1…1, 1 for equal pictures.
    public var similarity: Double

    /// Compares pictures of one size; `edges` marks pixels row after row, as `edges(of:within:)` gives them.
    public init(of picture: CVPixelBuffer, against truth: CVPixelBuffer, edges: [Bool]) {
        let (width, height) = truth.size
        precondition(picture.size == truth.size && edges.count == width * height, "scores compare pictures of one size")
        var (all, near, nearCount) = (0, 0, 0)
        edges.withUnsafeBufferPointer { edges in
            for y in 0..<height {
                let (a, b) = (picture.plane(0).row(y, as: UInt8.self), truth.plane(0).row(y, as: UInt8.self))
                for x in 0..<width {
                    var square = 0
                    for channel in 4 * x..<4 * x + 3 {
                        let difference = Int(a[channel]) - Int(b[channel])
                        square += difference * difference
                    }
                    all += square
                    guard edges[y * width + x] else { continue }
                    near += square
                    nearCount += 1
                }
            }
        }
        overall = Self.decibels(all, width * height)
        nearEdges = Self.decibels(near, nearCount)
        similarity = StructuralSimilarity(picture, truth).mean
    }

    static func decibels(_ squares: Int, _ pixels: Int) -> Double {
        squares == 0 ? .infinity : 10 * log10(255 * 255 * 3 * Double(pixels) / Double(squares))
    }

    /// Mask of pixels within `distance` pixels of a jump of more than 0.05 between neighbours, row after row.
    public static func edges(of map: DisparityMap, within distance: Int) -> [Bool] {
        let (width, height) = (map.width, map.height)
        let spans = (-distance...distance).map { (dy: $0, reach: Int(Double(distance * distance - $0 * $0).squareRoot())) }
        var starts = [Int32](repeating: 0, count: (width + 1) * height)
        func mark(_ x: Int, _ y: Int) {
            for (dy, reach) in spans where y + dy >= 0 && y + dy < height {
                starts[(y + dy) * (width + 1) + max(x - reach, 0)] += 1
                starts[(y + dy) * (width + 1) + min(x + reach + 1, width)] -= 1
            }
        }
        for y in 0..<height {
            let row = map.row(y)
            let below = y + 1 < height ? map.row(y + 1) : row
            for x in 0..<width where (x + 1 < width && abs(row[x] - row[x + 1]) > 0.05) || abs(row[x] - below[x]) > 0.05 { mark(x, y) }
        }
        var result = [Bool](repeating: false, count: width * height)
        for y in 0..<height {
            var open: Int32 = 0
            for x in 0..<width {
                open += starts[y * (width + 1) + x]
                result[y * width + x] = open > 0
            }
        }
        return result
    }
}

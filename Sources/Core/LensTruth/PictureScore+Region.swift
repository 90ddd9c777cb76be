import CoreVideo
import Pipeline

/// Similarity of two pictures within a region.
public struct RegionScore: Sendable, Equatable {
    /// Peak signal-to-noise ratio (PSNR) in dB of 8-bit codes; infinite where all agree.
    public var noise: Double
    /// Mean SSIM of luma, -1…1, over the windows whose middle lies in the region; 1 for equal pictures.
    public var similarity: Double

    /// Compares BGRA pictures of one size; `part` marks the region's pixels row after row. Nil for an empty region.
    public init?(of picture: CVPixelBuffer, against other: CVPixelBuffer, in part: [Bool]) {
        let (width, height) = other.size
        precondition(picture.size == other.size && part.count == width * height, "scores compare pictures of one size")
        var (squares, count) = (0, 0)
        for y in 0..<height {
            let (a, b) = (picture.plane(0).row(y, as: UInt8.self), other.plane(0).row(y, as: UInt8.self))
            for x in 0..<width where part[y * width + x] {
                count += 1
                for channel in 4 * x..<4 * x + 3 {
                    let difference = Int(a[channel]) - Int(b[channel])
                    squares += difference * difference
                }
            }
        }
        guard count > 0 else { return nil }
        noise = PictureScore.decibels(squares, count)
        let similarities = StructuralSimilarity(picture, other)
        var sum = 0.0
        for y in 0..<height {
            for x in 0..<width where part[y * width + x] { sum += Double(similarities[x, y]) }
        }
        similarity = sum / Double(count)
    }
}

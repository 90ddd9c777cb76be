import CoreVideo
import Pipeline

/// How alike two pictures are in one part.
public struct RegionScore: Sendable, Equatable {
    /// Peak signal-to-noise ratio in dB of 8-bit codes; infinite where all agree.
    public var noise: Double
    /// Mean SSIM of luma over the windows of 8 × 8 whose middle lies in the part; 1 where there is none.
    public var similarity: Double

    /// BGRA pictures of one size; `part` marks pixels row after row. Nil for an empty part.
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
        var (sum, windows) = (0.0, 0)
        for top in stride(from: 0, through: height - 8, by: 4) {
            for left in stride(from: 0, through: width - 8, by: 4) where part[(top + 4) * width + left + 4] {
                sum += PictureScore.similarity(picture, other, left, top)
                windows += 1
            }
        }
        similarity = windows == 0 ? 1 : sum / Double(windows)
    }
}

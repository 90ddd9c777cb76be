internal import CVisionKernels
import Foundation

/// Semi-global matching of grey pictures, which it averages over time.
final class StereoMatcher {
    /// The matcher takes as long for one disparity as for 64.
    static let step = 64
    /// The most disparities in one match.
    static let most = 256

    private let handle = rf_stereo_create()

    deinit { rf_stereo_destroy(handle) }

    /// Disparity of `left` in pixels, one of `range` (1 to 256 of them), and a trust of 1 where both pictures agree, else 0. At most `keep` (0…1) of the
    /// pictures is old.
    func match(_ left: Raster, _ right: Raster, range: Range<Int>, keep: Double) -> (disparity: [Float], trust: [Float]) {
        var disparity = [Float](repeating: 0, count: left.width * left.height)
        var trust = disparity
        var (l, r) = (left.image, right.image)
        rf_stereo_match(handle, &l, &r, Int32(range.lowerBound), Int32(range.count), keep, &disparity, &trust)
        return (disparity, trust)
    }
}

extension Raster {
    /// Standard deviation of a grey picture's pixels, 0…127.5.
    var deviation: Double {
        var (sum, squares) = (0, 0)
        // Overflowing operators are done side by side; a picture's squares fit by far.
        for i in 0..<count {
            let value = Int(bytes[i])
            sum &+= value
            squares &+= value &* value
        }
        let mean = Double(sum) / Double(count)
        return max(Double(squares) / Double(count) - mean * mean, 0).squareRoot()
    }
}

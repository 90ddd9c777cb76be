internal import CVisionKernels
import Foundation

/// Semi-global matching of grey pictures.
final class StereoMatcher {
    private let handle: OpaquePointer
    let range: Int

    /// Searches 0..<`range` pixels, a multiple of 32, at most 256.
    init(range: Int) {
        handle = rf_stereo_create(Int32(range))
        self.range = range
    }

    deinit { rf_stereo_destroy(handle) }

    /// Disparity of `left` in pixels, and a trust of 1 where both pictures agree, else 0. At most `keep` (0…1) of the pictures is old.
    func match(_ left: Raster, _ right: Raster, keep: Double) -> (disparity: [Float], trust: [Float]) {
        var disparity = [Float](repeating: 0, count: left.width * left.height)
        var trust = disparity
        var (l, r) = (left.image, right.image)
        rf_stereo_match(handle, &l, &r, keep, &disparity, &trust)
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

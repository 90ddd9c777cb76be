internal import COpenCV
import Foundation

/// Semi-global matching of grey pictures.
final class StereoMatcher {
    private let handle: OpaquePointer
    let range: Int

    /// Searches 0…`range` pixels, a multiple of 32.
    init(range: Int) throws(VisionError) {
        var opened: OpaquePointer?
        try openCV("preparing stereo matching over \(range) pixels", rf_stereo_open(Int32(range), &opened))
        handle = opened!
        self.range = range
    }

    deinit { rf_stereo_close(handle) }

    /// Disparity of `left` in pixels, and a trust of 0 or 1 for each: whether both eyes saw the place. At most `keep` of the pictures is old.
    func match(_ left: Raster, _ right: Raster, keep: Double) throws(VisionError) -> (disparity: [Float], trust: [Float]) {
        var disparity = [Float](repeating: 0, count: left.width * left.height)
        var trust = disparity
        var (l, r) = (left.image, right.image)
        try openCV("matching a stereo pair", rf_stereo_match(handle, &l, &r, keep, &disparity, &trust))
        return (disparity, trust)
    }
}

extension Raster {
    /// How much a grey picture varies: the standard deviation of its pixels.
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

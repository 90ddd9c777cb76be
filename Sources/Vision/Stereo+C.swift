internal import COpenCV
import Foundation

/// Semi-global matching of grey pictures, steadied over time.
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

    /// Disparity of `left` in pixels without holes, and a trust of 0 or 1 for each: whether both eyes saw the place.
    func match(_ left: Raster, _ right: Raster, keep: Double) throws(VisionError) -> (disparity: [Float], trust: [Float]) {
        var disparity = [Float](repeating: 0, count: left.width * left.height)
        var trust = disparity
        var (l, r) = (left.image, right.image)
        try openCV("matching a stereo pair", rf_stereo_match(handle, &l, &r, keep, &disparity, &trust))
        return (disparity, trust)
    }
}

/// Values of `picture` at the size of `guide`, the same picture larger: their edges follow its edges.
func enlarge(_ values: [Float], of picture: Raster, along guide: Raster) throws(VisionError) -> [Float] {
    var result = [Float](repeating: 0, count: guide.width * guide.height)
    var (small, large) = (picture.image, guide.image)
    try openCV("enlarging disparity", rf_stereo_enlarge(values, &small, &large, &result))
    return result
}

extension Raster {
    /// How much a grey picture varies: the standard deviation of its pixels.
    var deviation: Double {
        var (sum, squares) = (0, 0)
        for i in 0..<count {
            let value = Int(bytes[i])
            sum += value
            squares += value * value
        }
        let mean = Double(sum) / Double(count)
        return max(Double(squares) / Double(count) - mean * mean, 0).squareRoot()
    }
}

/// Fills in what is not trusted along the edges of a picture; what is trusted stays as it is.
func completeDepth(_ values: inout [Float], trust: [Float], along guide: Raster) throws(VisionError) {
    var picture = guide.image
    try openCV("filling depth", rf_depth_complete(&values, trust, &picture))
}

internal import COpenCV
import Foundation

/// Semi-global block matching of two grey pictures.
final class StereoMatcher {
    private let handle: OpaquePointer
    let range: Int

    /// Searches 0…`range` pixels, a multiple of 16.
    init(range: Int) throws(VisionError) {
        var opened: OpaquePointer?
        try openCV("preparing stereo matching over \(range) pixels", rf_stereo_open(Int32(range), &opened))
        handle = opened!
        self.range = range
    }

    deinit { rf_stereo_close(handle) }

    /// Disparity of `left` in pixels; negative where nothing fits.
    func match(_ left: Raster, _ right: Raster, into disparity: inout [Float]) throws(VisionError) {
        var (l, r) = (left.image, right.image)
        try openCV("matching a stereo pair", rf_stereo_match(handle, &l, &r, &disparity))
    }
}

/// Spreads weighted values along the edges of a picture, which may be larger than they are.
func edgeAwareFill(
    _ values: [Float], weights: [Float], width: Int, height: Int, guide: Raster, lambda: Double, sigma: Double
) throws(VisionError) -> [Float] {
    var result = [Float](repeating: 0, count: guide.width * guide.height)
    var image = guide.image
    try openCV("filling disparity", rf_stereo_fill(values, weights, Int32(width), Int32(height), &image, lambda, sigma, &result))
    return result
}

internal import COpenCV

/// What `DisparityRefiner` remembers of the frames before.
final class Refiner {
    private let handle: OpaquePointer

    /// At most `keep` (0…1) of a value is of earlier frames; jumps lie on the picture's edges where it `sharpens`.
    init(keep: Double, sharpens: Bool) throws(VisionError) {
        var opened: OpaquePointer?
        try openCV("preparing to refine disparity", rf_refiner_open(keep, sharpens ? 1 : 0, &opened))
        handle = opened!
    }

    deinit { rf_refiner_close(handle) }

    /// Steadies and fills, and maybe sharpens, the values of `picture`; `trust` says which are measured (1, else 0), and then which are known.
    func refine(_ values: inout [Float], trust: inout [Float], along picture: Raster) throws(VisionError) {
        var luma = picture.image
        try openCV("refining disparity", rf_refiner_refine(handle, &luma, &values, &trust))
    }
}

/// Values of `picture` at the size of `guide`, the same picture larger: their edges follow its edges.
func enlarge(_ values: [Float], of picture: Raster, along guide: Raster) throws(VisionError) -> [Float] {
    var result = [Float](repeating: 0, count: guide.width * guide.height)
    var (small, large) = (picture.image, guide.image)
    try openCV("enlarging disparity", rf_disparity_enlarge(values, &small, &large, &result))
    return result
}

/// Fills in what is not trusted along the edges of a picture; what is trusted stays as it is.
func completeDepth(_ values: inout [Float], trust: [Float], along guide: Raster) throws(VisionError) {
    var picture = guide.image
    try openCV("filling depth", rf_disparity_fill(&values, trust, &picture))
}

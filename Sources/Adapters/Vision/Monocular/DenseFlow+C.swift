internal import COpenCV
internal import CVisionKernels
import Foundation

/// Dense optical flow by DIS (Kroeger et al., ECCV 2016): for each pixel of a picture the offset to where it was in an earlier one.
struct DenseFlow {
    let width: Int
    let height: Int
    /// x and y for each pixel, in pixels.
    private let offsets: [Float]

    /// From `picture` to `earlier`, grey pictures of one size.
    init(from picture: Raster, to earlier: Raster) throws(VisionError) {
        (width, height) = (picture.width, picture.height)
        var offsets = [Float](repeating: 0, count: 2 * picture.width * picture.height)
        var (now, before) = (picture.image, earlier.image)
        try openCV("estimating dense flow", rf_dense_flow(&now, &before, &offsets))
        self.offsets = offsets
    }

    /// Warps a mask of the earlier picture to this one.
    func carried(_ mask: SoftMask) -> SoftMask {
        var result = mask
        rf_flow_warp(mask.values, offsets, Int32(width), Int32(height), &result.values)
        return result
    }

    /// Evidence that a pixel of `picture` moves against the camera, where this is the flow to `earlier`; `known` pixels tell nothing of the camera.
    func residualMotion(from picture: Raster, to earlier: Raster, known: SoftMask) -> SoftMask {
        var result = SoftMask(width: width, height: height)
        var (now, before) = (picture.image, earlier.image)
        rf_residual_motion(&before, &now, offsets, known.values, &result.values)
        return result
    }
}

extension SoftMask {
    /// Guided upsampling of this mask of `picture` to the size of `guide`: rows `rows` of the result, the others 0.
    func upsampled(of picture: Raster, along guide: Raster, rows: Range<Int>) throws(VisionError) -> [Float] {
        var result = [Float](repeating: 0, count: guide.width * guide.height)
        var (small, large) = (picture.image, guide.image)
        try openCV(
            "upsampling a mask", rf_guided_upsample(values, &small, &large, 2, 6e-4, Int32(rows.lowerBound), Int32(rows.upperBound), &result))
        return result
    }
}

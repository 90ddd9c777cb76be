internal import CVisionKernels
import CoreVideo
import Pipeline

/// The kernel of `DisparityRefiner` with its memory of earlier frames.
final class Refiner {
    private let handle: OpaquePointer

    /// At most `keep` (0…1) of a value is of earlier frames; ramps become steps where it `sharpens`, which move to the picture's edges where it `aligns`.
    init(keep: Double, sharpens: Bool, aligns: Bool) {
        handle = rf_refiner_create(keep, sharpens ? 1 : 0, aligns ? 1 : 0)
    }

    deinit { rf_refiner_destroy(handle) }

    /// Filters over time, fills and (if it sharpens) sharpens the values of `picture`; `trust` is 1 where measured, and then where known, else 0.
    func refine(_ values: inout [Float], trust: inout [Float], along picture: Raster) {
        var luma = picture.image
        rf_refiner_refine(handle, &luma, &values, &trust)
    }
}

/// Joint bilateral upsampling of values of `picture` to the size of `guide`, the same picture larger.
func upsample(_ values: [Float], of picture: Raster, along guide: Raster) -> [Float] {
    var result = [Float](repeating: 0, count: guide.width * guide.height)
    var (small, large) = (picture.image, guide.image)
    rf_disparity_upsample(values, &small, &large, &result, Int32(guide.width))
    return result
}

/// The same of a map along its picture (`420v`) of any size, into a larger map.
func upsample(_ map: DisparityMap, along guide: CVPixelBuffer, into result: CVPixelBuffer) throws(VisionError) {
    let (size, plane) = (result.size, result.plane(0))
    let picture = try Raster(lumaOf: guide, width: map.width, height: map.height)
    let reduced = guide.size == size ? nil : try Raster(lumaOf: guide, width: size.width, height: size.height)
    var small = picture.image
    var large = reduced?.image ?? guide.plane(0).image(width: size.width, height: size.height, channels: 1)
    rf_disparity_upsample(
        map.values, &small, &large, plane.base.assumingMemoryBound(to: Float.self), Int32(plane.bytesPerRow / MemoryLayout<Float>.stride))
    withExtendedLifetime((picture, reduced, guide)) {}
}

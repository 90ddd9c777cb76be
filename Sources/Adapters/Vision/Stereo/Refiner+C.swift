internal import CVisionKernels
import CoreVideo
import Foundation
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

/// Bands of rows that are upsampled side by side. Four processors share one: smaller ones would spend more on what each prepares than they save.
private let usualBands = max(1, ProcessInfo.processInfo.activeProcessorCount / 4)

/// Joint bilateral upsampling of values of `picture` to the size of `guide`, the same picture larger. The result is the same for any number of `bands`.
func upsample(_ values: [Float], of picture: Raster, along guide: Raster, bands: Int = usualBands) -> [Float] {
    var result = [Float](repeating: 0, count: guide.width * guide.height)
    result.withUnsafeMutableBufferPointer {
        upsample(values, of: picture, along: guide.image, into: $0.baseAddress!, stride: guide.width, bands: bands)
    }
    return result
}

/// The same of a map along its picture (`420v`) of any size, into a larger map.
func upsample(_ map: DisparityMap, along guide: CVPixelBuffer, into result: CVPixelBuffer) throws(VisionError) {
    let (size, plane) = (result.size, result.plane(0))
    let picture = try Raster(lumaOf: guide, width: map.width, height: map.height)
    let reduced = guide.size == size ? nil : try Raster(lumaOf: guide, width: size.width, height: size.height)
    let large = reduced?.image ?? guide.plane(0).image(width: size.width, height: size.height, channels: 1)
    upsample(
        map.values, of: picture, along: large, into: plane.base.assumingMemoryBound(to: Float.self),
        stride: plane.bytesPerRow / MemoryLayout<Float>.stride, bands: usualBands)
    withExtendedLifetime((reduced, guide)) {}
}

private func upsample(
    _ values: [Float], of picture: Raster, along guide: rf_image, into result: UnsafeMutablePointer<Float>, stride: Int, bands: Int
) {
    let height = Int(guide.height)
    // Each band reads all and writes rows of its own.
    nonisolated(unsafe) let (guide, result) = (guide, result)
    DispatchQueue.concurrentPerform(iterations: bands) { band in
        var (small, large) = (picture.image, guide)
        rf_disparity_upsample(
            values, &small, &large, Int32(band * height / bands), Int32((band + 1) * height / bands), result, Int32(stride))
    }
}

import CoreVideo
import Foundation
import Pipeline

/// A frame at the size the detectors work at: at most 640 pixels wide, reduced by a whole factor.
struct ReducedPicture {
    /// Whole pixels of the frame per pixel here.
    let factor: Int
    let luma: Raster
    /// Half as large again, for large windows.
    let half: Raster
    /// Interleaved Cb, Cr at the size of `half`.
    let chroma: Raster
    let frameWidth: Int
    let frameHeight: Int
    /// Whether it shows nothing, as through a covered lens.
    var isBlack: Bool { half.deviation < Self.blackout }
    /// Standard deviation, 0…127.5, below which a picture shows nothing.
    private static let blackout = 1.5

    init(_ buffer: CVPixelBuffer, maximumWidth: Int = 640) throws(VisionError) {
        guard CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange else {
            throw VisionError(code: .picture, operation: "reducing a picture", underlying: "its format is not 420v")
        }
        frameWidth = CVPixelBufferGetWidth(buffer)
        frameHeight = CVPixelBufferGetHeight(buffer)
        factor = max(1, (frameWidth + maximumWidth - 1) / maximumWidth)
        let (width, height) = (max(2, frameWidth / factor & ~1), max(2, frameHeight / factor & ~1))
        luma = Raster(width: width, height: height)
        try luma.fill(reducing: buffer.plane(0).image(width: min(width * factor, frameWidth), height: min(height * factor, frameHeight), channels: 1))
        half = Raster(width: width / 2, height: height / 2)
        try half.fill(reducing: luma.image)
        chroma = Raster(width: width / 2, height: height / 2, channels: 2)
        let plane = buffer.plane(1)
        try chroma.fill(
            reducing: plane.image(width: min(width / 2 * factor, plane.width), height: min(height / 2 * factor, plane.height), channels: 2))
    }

    /// The same, booked in `timings`.
    init(_ buffer: CVPixelBuffer, _ timings: Timings?) throws(VisionError) {
        self = try timings.measured("reduce") { () throws(VisionError) in try ReducedPicture(buffer) }
    }

    var width: Double { Double(luma.width) }
    var height: Double { Double(luma.height) }

    /// Pixels here to 0…1 of the frame.
    func normalized(_ box: CGRect) -> CGRect {
        let (x, y) = (Double(factor) / Double(frameWidth), Double(factor) / Double(frameHeight))
        return CGRect(x: box.minX * x, y: box.minY * y, width: box.width * x, height: box.height * y)
    }

    /// Part of a box inside the picture, 0…1 of the frame; nil when that is less than a share of it.
    func visible(_ box: CGRect, share: Double) -> CGRect? {
        let inside = box.intersection(luma.bounds)
        return inside.area > share * box.area ? normalized(inside) : nil
    }

    /// 0…1 of the frame to pixels here.
    func pixels(_ box: CGRect) -> CGRect {
        let (x, y) = (Double(frameWidth) / Double(factor), Double(frameHeight) / Double(factor))
        return CGRect(x: box.minX * x, y: box.minY * y, width: box.width * x, height: box.height * y)
    }
}

internal import COpenCV
internal import CVisionKernels
import CoreVideo
import Foundation

/// Interleaved 8-bit pixels that a computation owns; rows follow each other without a gap.
final class Raster: @unchecked Sendable {
    let width: Int
    let height: Int
    let channels: Int
    let bytes: UnsafeMutablePointer<UInt8>

    init(width: Int, height: Int, channels: Int = 1) {
        self.width = width
        self.height = height
        self.channels = channels
        bytes = .allocate(capacity: width * height * channels)
        bytes.initialize(repeating: 0, count: width * height * channels)
    }

    deinit { bytes.deallocate() }

    var count: Int { width * height * channels }
    var bounds: CGRect { CGRect(x: 0, y: 0, width: width, height: height) }

    /// A box of 0…1 of the picture, in pixels.
    func pixels(_ box: CGRect) -> CGRect {
        CGRect(
            x: box.minX * Double(width), y: box.minY * Double(height), width: box.width * Double(width), height: box.height * Double(height))
    }

    func pixel(_ x: Int, _ y: Int) -> UnsafeMutablePointer<UInt8> { bytes + (y * width + x) * channels }

    var image: rf_image {
        rf_image(data: bytes, width: Int32(width), height: Int32(height), channels: Int32(channels), stride: width * channels)
    }

    /// A part of the picture, nothing copied; `part` lies inside.
    func image(of part: PixelBox) -> rf_image {
        rf_image(
            data: pixel(part.x, part.y), width: Int32(part.width), height: Int32(part.height), channels: Int32(channels),
            stride: width * channels)
    }
}

/// A rectangle of whole pixels.
struct PixelBox: Equatable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int

    /// The pixels of `rect` inside a picture; nil when there are none.
    init?(_ rect: CGRect, in raster: Raster) {
        let part = rect.integral.intersection(raster.bounds)
        guard !part.isNull, part.width >= 1, part.height >= 1 else { return nil }
        x = Int(part.minX)
        y = Int(part.minY)
        width = Int(part.width)
        height = Int(part.height)
    }
}

/// Turns the status of a function of COpenCV into an error.
func openCV(_ operation: @autoclosure () -> String, _ status: Int32) throws(VisionError) {
    guard status != 0 else { return }
    throw VisionError(code: VisionError.Code(rawValue: status) ?? .other, operation: operation(), underlying: String(cString: rf_error_message()))
}

extension CVBuffer.Plane {
    /// The plane's pixels for OpenCV, cropped to `width` x `height`.
    func image(width: Int, height: Int, channels: Int) -> rf_image {
        rf_image(
            data: base.assumingMemoryBound(to: UInt8.self), width: Int32(width), height: Int32(height), channels: Int32(channels),
            stride: bytesPerRow)
    }
}

extension Raster {
    /// The luma of `picture` (`420v`) at another size.
    convenience init(lumaOf picture: CVPixelBuffer, width: Int, height: Int) throws(VisionError) {
        guard CVPixelBufferGetPixelFormatType(picture) == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange else {
            throw VisionError(code: .picture, operation: "reducing a picture", underlying: "its format is not 420v")
        }
        self.init(width: width, height: height)
        let size = picture.size
        try fill(reducing: picture.plane(0).image(width: size.width, height: size.height, channels: 1))
    }

    /// This picture's size by averaging areas of `source`.
    func fill(reducing source: rf_image) throws(VisionError) {
        var (source, target) = (source, image)
        try openCV("reducing a picture", rf_reduce(&source, &target))
    }

    /// `region`, which may reach over the edge, resampled to `width` x `height`.
    func sample(_ region: CGRect, width: Int, height: Int) throws(VisionError) -> Raster {
        let result = Raster(width: width, height: height, channels: channels)
        var (source, target) = (image, result.image)
        let rect = rf_rect(x: region.minX, y: region.minY, width: region.width, height: region.height)
        try openCV("sampling a picture", rf_sample(&source, rect, &target))
        return result
    }

    /// Top left corner of the best match of `pattern`, and its normalised cross-correlation (-1…1).
    func bestMatch(of pattern: Raster) throws(VisionError) -> (x: Int, y: Int, score: Double) {
        var (picture, part) = (image, pattern.image)
        var (x, y, score): (Int32, Int32, Double) = (0, 0, 0)
        try openCV("matching a template", rf_match(&picture, &part, &x, &y, &score))
        return (Int(x), Int(y), score.isFinite ? score : 0)
    }
}

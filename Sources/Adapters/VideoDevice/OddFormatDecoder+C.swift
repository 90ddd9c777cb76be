internal import CV4L2
import Foundation

/// Decoder of pixel formats that are not read as they are, by libv4lconvert, to YU12.
final class OddFormatDecoder {
    private let converter: OpaquePointer
    private var source = v4l2_format()
    private var target = v4l2_format()
    private var decoded: [UInt8]

    init(_ format: StreamFormat, path: String) throws(VideoDeviceError) {
        guard let converter = rf_converter() else { throw VideoDeviceError(.failed, path, "there is not enough memory for a converter") }
        self.converter = converter
        for (code, strides) in [(format.pixelFormat, format.strides), (.yuv420, [format.width])] {
            var one = v4l2_format()
            one.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
            rf_ask_format(&one, UInt32(format.width), UInt32(format.height), code.rawValue)
            one.fmt.pix.bytesperline = UInt32(strides.first ?? 0)
            if code == .yuv420 { target = one } else { source = one }
        }
        decoded = [UInt8](repeating: 0, count: format.width * format.height * 3 / 2)
        target.fmt.pix.sizeimage = UInt32(decoded.count)
    }

    deinit { v4lconvert_destroy(converter) }

    /// Formats that libv4lconvert decodes, and that cameras have.
    static func canDecode(_ format: FourCC) -> Bool {
        let known: [FourCC] = [
            .mjpeg, .jpeg, FourCC("RGB3"), FourCC("BGR3"), FourCC("RGBP"), FourCC("BA81"), FourCC("GBRG"), FourCC("GRBG"), FourCC("RGGB"),
            FourCC("YVYU"), FourCC("422P"), FourCC("GREY"), FourCC("Y16 "), FourCC("S910"), FourCC("pRAA"), FourCC("PJPG"),
        ]
        return known.contains(format)
    }

    /// Calls `body` with the picture as YU12; nil for a picture that is damaged.
    func withDecoded<Result>(_ picture: PictureReader.Source, _ body: (PictureReader.Source) -> Result) -> Result? {
        guard let plane = picture.planes.first, let bytes = plane.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
        source.fmt.pix.sizeimage = UInt32(plane.count)
        let size = v4lconvert_convert(
            converter, &source, &target, UnsafeMutablePointer(mutating: bytes), Int32(plane.count), &decoded, Int32(decoded.count))
        guard size >= decoded.count else { return nil }
        return decoded.withUnsafeBytes { bytes in
            body(PictureReader.Source(pixelFormat: .yuv420, width: picture.width, height: picture.height, strides: [picture.width], planes: [bytes]))
        }
    }
}

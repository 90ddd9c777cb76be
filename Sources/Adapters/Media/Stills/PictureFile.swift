import CoreVideo
import Foundation
import Pipeline
import Support

/// Still pictures: reads any that FFmpeg decodes, writes PNG.
public enum PictureFile {
    /// Reads a picture as `32BGRA` (full-range sRGB) or `420v` (video-range BT.709), upright, at its own size, which may be odd.
    public static func read(_ path: String, as pixelFormat: OSType = kCVPixelFormatType_32BGRA) throws(MediaError) -> CVPixelBuffer {
        try picture(of: decode(path, codesLight: true), as: pixelFormat, path: path)
    }

    /// A decoded picture as `read` gives it.
    static func picture(
        of frame: FFmpegFrame, as pixelFormat: OSType = kCVPixelFormatType_32BGRA, path: String
    ) throws(MediaError) -> CVPixelBuffer {
        let stored = CVPixelBuffer(width: frame.width, height: frame.height, pixelFormat: pixelFormat)
        try PictureConverter().convert(frame, into: stored, path: path)
        guard let orientation = frame.displayMatrix.flatMap({ Orientation(displayMatrix: $0) }), orientation != .upright else { return stored }
        let size = orientation.size(of: stored.size)
        let upright = CVPixelBuffer(width: size.width, height: size.height, pixelFormat: pixelFormat)
        orientation.copy(stored, to: upright)
        return upright
    }

    /// Reads a grey picture as disparity: code 0 is the lower end of `range`, the highest code (65535, 255) the upper; larger is nearer.
    ///
    /// The unit is that of `range`, 1/m where it is; floating-point samples (OpenEXR, PFM) are 1/m as they are, and the map is metric.
    public static func readDisparity(_ path: String, range: ClosedRange<Double> = 0...1) throws(MediaError) -> DisparityMap {
        try GrayReader().disparity(of: decode(path, codesLight: false), coding: .disparity(range), path: path)
    }

    /// Reads a grey picture of 16 bits, or of floating-point samples in metres, as depth: 0 is unmeasured, without confidence.
    public static func readDepth(_ path: String, metresPerCode: Double) throws(MediaError) -> DisparityMap {
        try GrayReader().disparity(of: decode(path, codesLight: false), coding: .depth(metresPerCode: metresPerCode), path: path)
    }

    /// Writes `32BGRA` (as RGB; as RGBA where it is not opaque), `420v` (as RGB) or 16-bit grey; throws `OutputError` or `MediaError`.
    public static func writePNG(_ picture: CVPixelBuffer, to path: String, replacingExisting: Bool = false) throws {
        let file = try OutputFile(path: path, replacingExisting: replacingExisting)
        try file.write(pngData(picture, path: path))
        try file.commit()
    }

    /// Bytes of a JPEG file with a `420v` or `32BGRA` picture; `path` is for errors only.
    public static func jpegData(_ picture: CVPixelBuffer, path: String) throws(MediaError) -> Data { try JPEGEncoder.encode(picture, path: path) }

    /// Writes disparity as 16-bit grey: the lower end of `range` is 0, the upper 65535, values beyond are clamped.
    public static func writePNG(
        _ map: DisparityMap, range: ClosedRange<Double> = 0...1, to path: String, replacingExisting: Bool = false
    ) throws {
        let grey = CVPixelBuffer(width: map.width, height: map.height, pixelFormat: kCVPixelFormatType_OneComponent16)
        let scale = 65535 / Float(range.upperBound - range.lowerBound)
        for y in 0..<map.height {
            let source = map.row(y)
            let target = grey.plane(0).row(y, as: UInt16.self)
            for x in 0..<map.width {
                target[x] = UInt16(min(max((source[x] - Float(range.lowerBound)) * scale, 0), 65535).rounded())
            }
        }
        try writePNG(grey, to: path, replacingExisting: replacingExisting)
    }

    /// Bytes of the PNG file that `writePNG` writes; `path` is for errors only.
    public static func pngData(_ picture: CVPixelBuffer, path: String) throws(MediaError) -> Data {
        let (width, height) = picture.size
        if picture.format == kCVPixelFormatType_OneComponent16 {
            return try PNGEncoder.encode(width: width, height: height, layout: .gray16, path: path) { bytes, stride throws(MediaError) in
                for y in 0..<height {
                    let source = picture.plane(0).row(y, as: UInt16.self)
                    for x in 0..<width {
                        bytes[y * stride + 2 * x] = UInt8(source[x] >> 8)
                        bytes[y * stride + 2 * x + 1] = UInt8(truncatingIfNeeded: source[x])
                    }
                }
            }
        }
        let isOpaque = picture.format != kCVPixelFormatType_32BGRA || picture.isOpaque
        let mark = ColorMark(of: picture)
        let file = try PNGEncoder.encode(
            width: width, height: height, layout: isOpaque ? .rgb : .rgba, profile: mark?.profile, path: path
        ) { bytes, stride throws(MediaError) in
            try PictureConverter().pack(picture, bytesPerPixel: isOpaque ? 3 : 4, into: bytes, stride: stride, path: path)
        }
        return mark?.marking(png: file) ?? file
    }

    /// Decodes a picture, whose linear light becomes codes of sRGB where it `codesLight`.
    static func decode(_ path: String, codesLight: Bool) throws(MediaError) -> FFmpegFrame {
        guard let frame = try VideoDecoder(path: path, threads: 1, codesLight: codesLight).next() else {
            throw MediaError(code: .corrupt, path: path, reason: "holds no picture")
        }
        return frame
    }
}

extension CVPixelBuffer {
    /// Whether every alpha of a `32BGRA` or `64RGBALE` buffer is the highest code.
    var isOpaque: Bool {
        let isWide = format == kCVPixelFormatType_64RGBALE
        return (0..<size.height).allSatisfy { y in
            let (words, bytes) = (plane(0).row(y, as: UInt16.self), plane(0).row(y, as: UInt8.self))
            return (0..<size.width).allSatisfy { isWide ? words[4 * $0 + 3] == 65535 : bytes[4 * $0 + 3] == 255 }
        }
    }
}

internal import CFFmpeg
import CoreVideo
import Foundation
import Pipeline

/// Coder of what compositors take of a frame: the picture and a matte as PNG, maps as OpenEXR of one 32-bit float channel (`Y`), without loss.
public final class StemCoder {
    private let pictures: StillCoder

    /// Creates a coder for pictures of a pixel format and colours: PNG of 8 bits, of 16 for more than 8.
    public init(pixelFormat: OSType, colors: PictureColors) {
        pictures = StillCoder(.png, pixelFormat == kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange ? .rgb48 : .rgb24, colors: colors)
    }

    /// Bytes of a PNG file with a `420v`, `420f` or `x420` picture; `path` is for errors.
    public func picture(_ picture: CVPixelBuffer, path: String) throws(MediaError) -> Data { try pictures.data(picture, path: path) }

    /// Bytes of a PNG file with a mask of 8 bits (`OneComponent8`).
    public func mask(_ mask: CVPixelBuffer, path: String) throws(MediaError) -> Data {
        let (width, height) = mask.size
        return try StillEncoder.encode(.png, as: AV_PIX_FMT_GRAY8, width: width, height: height, path: path) { frame throws(MediaError) in
            for y in 0..<height {
                (frame.pointer.pointee.data.0! + y * Int(frame.pointer.pointee.linesize.0)).update(from: mask.plane(0).row(y), count: width)
            }
        }
    }

    /// Bytes of an OpenEXR file with each value of a map changed by a function.
    public func floats(_ map: DisparityMap, path: String, _ value: (Float) -> Float = { $0 }) throws(MediaError) -> Data {
        let options = ["format": "float", "compression": "zip16"]
        return try StillEncoder.encode(
            .exr, as: AV_PIX_FMT_GRAYF32LE, width: map.width, height: map.height, options: options, path: path
        ) { frame throws(MediaError) in
            for y in 0..<map.height {
                let target = UnsafeMutableRawPointer(frame.pointer.pointee.data.0! + y * Int(frame.pointer.pointee.linesize.0))
                let (from, to) = (map.row(y), target.assumingMemoryBound(to: Float.self))
                for x in 0..<map.width { to[x] = value(from[x]) }
            }
        }
    }
}

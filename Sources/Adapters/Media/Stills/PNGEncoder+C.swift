internal import CFFmpeg
import Foundation

/// PNG encoder of one picture.
enum PNGEncoder {
    enum Layout: Equatable {
        case rgb, rgba
        /// 16-bit grey, rows in PNG's big-endian order.
        case gray16
    }

    /// Encodes a picture; throws `MediaError`.
    ///
    /// - Parameter fill: writes row after row of the picture, `stride` bytes apart.
    static func encode(
        width: Int, height: Int, layout: Layout, profile: ICCProfile? = nil, path: String,
        fill: (UnsafeMutablePointer<UInt8>, _ stride: Int) throws(MediaError) -> Void
    ) throws(MediaError) -> Data {
        // Rows without padding, so that `fill` may treat them as one run.
        try StillEncoder.encode(
            .png, as: pixelFormat(layout), width: width, height: height, options: ["pred": "paeth"], profile: profile, alignment: 1, path: path
        ) { frame throws(MediaError) in
            try fill(frame.pointer.pointee.data.0!, Int(frame.pointer.pointee.linesize.0))
        }
    }

    private static func pixelFormat(_ layout: Layout) -> AVPixelFormat {
        switch layout {
        case .rgb: AV_PIX_FMT_RGB24
        case .rgba: AV_PIX_FMT_RGBA
        case .gray16: AV_PIX_FMT_GRAY16BE
        }
    }
}

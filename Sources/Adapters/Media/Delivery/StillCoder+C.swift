internal import CFFmpeg
import CoreVideo
import Foundation
import Pipeline

/// Coder of a sequence's pictures as PNG, TIFF or OpenEXR, in red, green and blue of the pictures' own primaries.
///
/// PNG and TIFF keep the transfer function, and PNG names what is not BT.709 in its chunk `cICP`; EXR holds half-float linear light, compressed without loss
/// (ZIP), and names its primaries.
final class StillCoder {
    private let codec: DeliveryOptions.Codec
    private let format: DeliveryOptions.PixelFormat
    private let colors: PictureColors
    private let converter = PictureConverter()
    private lazy var light = LinearLight(transfer: colors.transfer)

    init(_ codec: DeliveryOptions.Codec, _ format: DeliveryOptions.PixelFormat, colors: PictureColors) {
        (self.codec, self.format, self.colors) = (codec, format, colors)
    }

    /// Bytes of the file that holds a `420v`, `420f` or `x420` picture; `path` is for errors.
    func data(_ picture: CVPixelBuffer, path: String) throws(MediaError) -> Data {
        let options = codec == .png ? ["pred": "paeth"] : codec == .exr ? ["format": "half", "compression": "zip16"] : [:]
        let file = try StillEncoder.encode(
            codec, as: pixelFormat, width: picture.size.width, height: picture.size.height, options: options, path: path
        ) { frame throws(MediaError) in
            if format == .rgbHalf { return try fillLight(frame, from: picture, path: path) }
            try converter.fill(frame, from: picture, matrix: colors.matrix, path: path)
        }
        switch codec {
        case .exr: return EXRChromaticities(primaries: colors.primaries).marking(file)
        case .png where colors.isHDR: return ColorMark.hdr(colors).marking(png: file)
        case .png where colors.hasOtherPrimaries:
            return ColorMark.codePoints(primaries: colors.primaries, transfer: colors.transfer).marking(png: file)
        default: return file
        }
    }

    private var pixelFormat: AVPixelFormat {
        switch format {
        case .rgb48: codec == .png ? AV_PIX_FMT_RGB48BE : AV_PIX_FMT_RGB48LE
        case .rgbHalf: AV_PIX_FMT_GBRPF32LE
        default: AV_PIX_FMT_RGB24
        }
    }

    /// Decodes the transfer function into planes of green, blue and red.
    private func fillLight(_ frame: FFmpegFrame, from picture: CVPixelBuffer, path: String) throws(MediaError) {
        let (width, height) = picture.size
        let codes = try FFmpegFrame(for: path)
        codes.pointer.pointee.width = Int32(width)
        codes.pointer.pointee.height = Int32(height)
        codes.pointer.pointee.format = AV_PIX_FMT_RGB48LE.rawValue
        try FFmpeg.checkMemory(av_frame_get_buffer(codes.pointer, 0), path: path)
        try converter.fill(codes, from: picture, matrix: colors.matrix, path: path)
        let (source, target) = (codes.pointer.pointee, frame.pointer.pointee)
        let planes = [(target.data.2!, target.linesize.2), (target.data.0!, target.linesize.0), (target.data.1!, target.linesize.1)]
        for y in 0..<height {
            let row = UnsafeRawPointer(source.data.0! + y * Int(source.linesize.0)).assumingMemoryBound(to: UInt16.self)
            for (channel, plane) in planes.enumerated() {
                let line = UnsafeMutableRawPointer(plane.0 + y * Int(plane.1)).assumingMemoryBound(to: Float.self)
                for x in 0..<width { line[x] = light[row[3 * x + channel]] }
            }
        }
    }
}

internal import CFFmpeg
import CoreVideo
import Foundation
import Pipeline

/// Reader of one picture at its own depth.
enum StillReader {
    /// Upright, in one of `Still`'s formats; throws `MediaError`.
    static func read(_ path: String) throws(MediaError) -> CVPixelBuffer {
        let frame = try PictureFile.decode(path, codesLight: false)
        guard let format = av_pix_fmt_desc_get(AVPixelFormat(frame.pointer.pointee.format))?.pointee else {
            throw MediaError(code: .unsupported, path: path, reason: "has an unknown pixel format")
        }
        let picture = frame.pointer.pointee
        var mark = try ColorMark(ofPNG: path)
        if mark == nil {
            mark = try ColorMark(primaries: Int(picture.color_primaries.rawValue), transfer: Int(picture.color_trc.rawValue), path: path)
        }
        if mark == nil { mark = ICCProfile(of: frame).map(ColorMark.profile) }
        guard frame.isFloat || format.comp.0.depth > 8 || mark?.isHDR == true else {
            let picture = try PictureFile.picture(of: frame, path: path)
            mark?.attach(to: picture)
            return picture
        }
        let stored = CVPixelBuffer(width: frame.width, height: frame.height, pixelFormat: kCVPixelFormatType_64RGBALE)
        if frame.isFloat {
            try fill(stored, fromLightOf: frame, format, path)
            CVBufferSetAttachment(
                stored, kCVImageBufferTransferFunctionKey, kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ, .shouldPropagate)
            if let named = EXRChromaticities(ofFile: path), named != .bt709 { ColorMark.chromaticities(named).attach(to: stored) }
        } else {
            try PictureConverter().convert(frame, into: stored, path: path)
            mark?.attach(to: stored)
        }
        guard let orientation = frame.displayMatrix.flatMap({ Orientation(displayMatrix: $0) }), orientation != .upright else { return stored }
        throw MediaError(
            code: .unsupported, path: path, reason: "asks to be rotated, which 16-bit pictures are not; store it upright")
    }

    /// From planes of green, blue, red and alpha as float numbers.
    private static func fill(
        _ buffer: CVPixelBuffer, fromLightOf frame: FFmpegFrame, _ format: AVPixFmtDescriptor, _ path: String
    ) throws(MediaError) {
        let picture = frame.pointer.pointee
        let kinds = [AV_PIX_FMT_GBRPF32LE, AV_PIX_FMT_GBRAPF32LE, AV_PIX_FMT_GRAYF32LE].map(\.rawValue)
        guard let kind = kinds.firstIndex(of: picture.format) else {
            throw MediaError(code: .unsupported, path: path, reason: "holds \(frame.pixelFormatName) pixels; RGB and grey are read")
        }
        func plane(_ index: Int) -> (UnsafeMutablePointer<UInt8>, Int) {
            switch kind == 2 ? 0 : index {
            case 0: (picture.data.0!, Int(picture.linesize.0))
            case 1: (picture.data.1!, Int(picture.linesize.1))
            case 2: (picture.data.2!, Int(picture.linesize.2))
            default: (picture.data.3!, Int(picture.linesize.3))
            }
        }
        let (width, height) = buffer.size
        for y in 0..<height {
            let row = buffer.plane(0).row(y, as: UInt16.self)
            for (channel, index) in [(0, 2), (1, 0), (2, 1)] {
                let (bytes, stride) = plane(index)
                let line = UnsafeRawPointer(bytes + y * stride).assumingMemoryBound(to: Float.self)
                for x in 0..<width { row[4 * x + channel] = PQCode.code(line[x].isFinite ? line[x] : 0) }
            }
            let alpha = kind == 1 ? UnsafeRawPointer(plane(3).0 + y * plane(3).1).assumingMemoryBound(to: Float.self) : nil
            for x in 0..<width {
                let opacity = alpha?[x] ?? 1
                row[4 * x + 3] = opacity.isFinite ? UInt16(min(max(opacity, 0), 1) * 65535) : 65535
            }
        }
    }
}

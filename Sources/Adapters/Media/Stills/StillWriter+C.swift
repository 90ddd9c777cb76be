internal import CFFmpeg
import CoreVideo
import Foundation
import Optics
import Pipeline

/// Writer of one picture as PNG, TIFF or EXR, by its name.
enum StillWriter {
    /// Bytes of the file; throws `MediaError` for another name.
    static func data(_ picture: CVPixelBuffer, path: String) throws(MediaError) -> Data {
        switch URL(fileURLWithPath: path).pathExtension.lowercased() {
        case "png": try picture.format == kCVPixelFormatType_32BGRA ? PictureFile.pngData(picture, path: path) : wide(picture, .png, path)
        case "tiff", "tif": try tiff(picture, path)
        case "exr": try light(picture, path)
        default: throw MediaError(code: .unsupported, path: path, reason: "is written as PNG, TIFF or EXR: name it .png, .tiff or .exr")
        }
    }

    private static func tiff(_ picture: CVPixelBuffer, _ path: String) throws(MediaError) -> Data {
        let mark = ColorMark(of: picture)
        let unsaid: String? =
            switch mark {
            case .hdr: "is PQ or HLG: name it .png or .exr"
            case .codePoints: "has other primaries than BT.709: name it .png or .exr"
            default: nil
            }
        if let unsaid { throw MediaError(code: .unsupported, path: path, reason: "cannot say that its picture \(unsaid)") }
        let file = try picture.format == kCVPixelFormatType_32BGRA ? bytes(picture, path) : wide(picture, .tiff, path)
        return mark?.profile?.inserted(into: file) ?? file
    }

    private static func bytes(_ picture: CVPixelBuffer, _ path: String) throws(MediaError) -> Data {
        try StillEncoder.encode(.tiff, as: AV_PIX_FMT_RGB24, width: picture.size.width, height: picture.size.height, path: path) {
            frame throws(MediaError) in
            try PictureConverter().pack(
                picture, bytesPerPixel: 3, into: frame.pointer.pointee.data.0!, stride: Int(frame.pointer.pointee.linesize.0), path: path)
        }
    }

    /// 16 bits a sample: of PNG most significant byte first. Alpha goes along where something is not opaque.
    private static func wide(_ picture: CVPixelBuffer, _ codec: DeliveryOptions.Codec, _ path: String) throws(MediaError) -> Data {
        let (width, height) = picture.size
        let (channels, mark) = (picture.isOpaque ? 3 : 4, ColorMark(of: picture))
        if case .chromaticities = mark {
            throw MediaError(code: .unsupported, path: path, reason: "cannot say that its picture has other primaries than BT.709: name it .exr")
        }
        let format: AVPixelFormat =
            switch (codec, channels) {
            case (.png, 3): AV_PIX_FMT_RGB48BE
            case (.png, _): AV_PIX_FMT_RGBA64BE
            case (_, 3): AV_PIX_FMT_RGB48LE
            default: AV_PIX_FMT_RGBA64LE
            }
        let shown = mark == nil && PictureColors(attachedTo: picture).transfer == 16 ? clippedCodes : nil
        let file = try StillEncoder.encode(
            codec, as: format, width: width, height: height, options: codec == .png ? ["pred": "paeth"] : [:],
            profile: mark?.profile, path: path
        ) { frame throws(MediaError) in
            let (base, stride) = (frame.pointer.pointee.data.0!, Int(frame.pointer.pointee.linesize.0))
            for y in 0..<height {
                let source = picture.plane(0).row(y, as: UInt16.self)
                let target = UnsafeMutableRawPointer(base + y * stride).assumingMemoryBound(to: UInt16.self)
                for x in 0..<width {
                    for channel in 0..<channels {
                        var code = source[4 * x + channel]
                        if channel < 3, let shown { code = shown[Int(code)] }
                        target[channels * x + channel] = codec == .png ? code.bigEndian : code
                    }
                }
            }
        }
        return codec == .png ? mark?.marking(png: file) ?? file : file
    }

    /// 16-bit sRGB codes of PQ's, light above white clipped.
    private static let clippedCodes: [UInt16] = {
        let light = LinearLight(transfer: 16)
        return (0...65535).map { code in
            UInt16(TransferFunction.sRGB.code(of: Double(min(light[UInt16(code)], 1))) * 65535 + 0.5)
        }
    }()

    /// Half-float linear light in the picture's own primaries, which the file names.
    private static func light(_ picture: CVPixelBuffer, _ path: String) throws(MediaError) -> Data {
        let (width, height) = picture.size
        let (isWide, hasAlpha) = (picture.format == kCVPixelFormatType_64RGBALE, !picture.isOpaque)
        let chromaticities = ColorMark(of: picture)?.chromaticities ?? .bt709
        let colors = PictureColors(attachedTo: picture)
        let light = LinearLight(transfer: colors.isHDR ? colors.transfer : 13)
        let file = try StillEncoder.encode(
            .exr, as: hasAlpha ? AV_PIX_FMT_GBRAPF32LE : AV_PIX_FMT_GBRPF32LE, width: width, height: height,
            options: ["format": "half", "compression": "zip16"], path: path
        ) { frame throws(MediaError) in
            let target = frame.pointer.pointee
            let planes = [
                (target.data.2, target.linesize.2), (target.data.0, target.linesize.0), (target.data.1, target.linesize.1),
                (target.data.3, target.linesize.3),
            ]
            for y in 0..<height {
                let (words, bytes) = (picture.plane(0).row(y, as: UInt16.self), picture.plane(0).row(y, as: UInt8.self))
                for channel in 0..<(hasAlpha ? 4 : 3) {
                    let line = UnsafeMutableRawPointer(planes[channel].0! + y * Int(planes[channel].1)).assumingMemoryBound(to: Float.self)
                    for x in 0..<width {
                        let code = isWide ? words[4 * x + channel] : UInt16(bytes[4 * x + (channel < 3 ? 2 - channel : 3)]) * 257
                        line[x] = channel < 3 ? light[code] : Float(code) / 65535
                    }
                }
            }
        }
        return chromaticities.marking(file)
    }
}

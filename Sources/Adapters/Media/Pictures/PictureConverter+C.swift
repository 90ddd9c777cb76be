internal import CFFmpeg
import CoreVideo
import Foundation
import Pipeline

/// Converter between FFmpeg's pictures and pixel buffers: `32BGRA` as full-range sRGB, `420v` as video-range BT.709.
///
/// Colour matrix and range come from the picture; one without a tag is taken as BT.709 from 720 lines on, as BT.601 below, in video range. The
/// transfer function is not converted: coded values of sRGB and BT.709 are taken as the same.
///
/// libswscale converts, all but pictures of more than 8 bits in another matrix that become `420v`: of those it makes 8-bit RGB on the way, in fifteen
/// times the time that `YCbCrConversion` takes.
final class PictureConverter {
    /// Cache key: all that a scaler depends on.
    private struct Key: Equatable {
        var width: Int32
        var height: Int32
        var source: Side
        var destination: Side
    }

    /// One side of a conversion; `matrix` is an `SWS_CS_` constant.
    private struct Side: Equatable {
        var format: AVPixelFormat
        var isFullRange: Bool
        var matrix: Int32
        /// Chroma position in 1/256 of a luma pixel; -513 is unspecified.
        var chroma: (h: Int64, v: Int64)

        /// RGB in full range, whose matrix stands for none.
        static func rgb(_ format: AVPixelFormat) -> Side { Side(format: format, isFullRange: true, matrix: SWS_CS_ITU709, chroma: (-513, -513)) }

        static func == (a: Side, b: Side) -> Bool {
            a.format == b.format && a.isFullRange == b.isFullRange && a.matrix == b.matrix && a.chroma == b.chroma
        }
    }

    private var scaler: OpaquePointer?
    private var key: Key?

    init() { FFmpeg.silence() }

    deinit { sws_freeContext(scaler) }

    /// Converts a picture, or its top left part, into `buffer`: to BT.709, or to a `matrix` of H.273.
    func convert(_ frame: FFmpegFrame, into buffer: CVPixelBuffer, matrix: Int = 1, path: String) throws(MediaError) {
        let picture = frame.pointer.pointee
        let (width, height) = buffer.size
        var target = Self.side(of: buffer.format)
        if matrix != 1 { target.matrix = Self.coefficients(matrix) ?? target.matrix }
        let key = Key(width: Int32(width), height: Int32(height), source: Self.side(of: picture), destination: target)
        if let (conversion, samples) = Self.conversion(of: picture, key) {
            conversion.convert(samples, into: buffer)
        } else {
            try prepare(key, path: path)
            var planes = buffer.planePointers
            let rows = withUnsafeBytes(of: picture.data) { data in
                withUnsafeBytes(of: picture.linesize) { strides in
                    let source = data.bindMemory(to: UnsafePointer<UInt8>?.self).baseAddress
                    return sws_scale(
                        scaler, source, strides.bindMemory(to: Int32.self).baseAddress, 0, Int32(height), &planes.bases, planes.strides)
                }
            }
            try Self.check(rows, path: path)
        }
        PictureCopies.count(.conversion, of: buffer)
    }

    /// Throws when `sws_scale` gave an error instead of a number of rows.
    private static func check(_ rows: Int32, path: String) throws(MediaError) {
        guard rows <= 0 else { return }
        throw MediaError(
            code: rows == rf_averror(ENOMEM) ? .outOfMemory : .unsupported, path: path, reason: "a picture cannot be converted", underlying: rows,
            underlyingText: FFmpeg.text(rows))
    }

    /// Converts a `32BGRA` or `420v` buffer to packed pixels of `bytesPerPixel` bytes: 3 = RGB, 4 = RGBA.
    func pack(_ buffer: CVPixelBuffer, bytesPerPixel: Int, into bytes: UnsafeMutablePointer<UInt8>, stride: Int, path: String) throws(MediaError) {
        let (width, height) = buffer.size
        let rgb = Side.rgb(bytesPerPixel == 4 ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24)
        try prepare(Key(width: Int32(width), height: Int32(height), source: Self.side(of: buffer.format), destination: rgb), path: path)
        let planes = buffer.planePointers
        let sources = planes.bases.map { UnsafePointer($0) }
        var target: [UnsafeMutablePointer<UInt8>?] = [bytes]
        try Self.check(sws_scale(scaler, sources, planes.strides, 0, Int32(height), &target, [Int32(stride)]), path: path)
    }

    /// Converts a `32BGRA` or `420v` buffer to JPEG's pixels: three planes, full range, BT.601, chroma centred between luma pixels.
    func fillJPEG(_ frame: FFmpegFrame, from buffer: CVPixelBuffer, path: String) throws(MediaError) {
        let jpeg = Side(format: AV_PIX_FMT_YUV420P, isFullRange: true, matrix: SWS_CS_ITU601, chroma: (128, 128))
        try scale(buffer, of: Self.side(of: buffer.format), to: jpeg, into: frame, path: path)
    }

    /// Converts a `420v`, `420f` or `x420` buffer to the frame's pixel format: RGB in full range, or YCbCr of the buffer's own matrix, in full or in
    /// video range. `matrix` is the buffer's, a code point of H.273.
    func fill(_ frame: FFmpegFrame, from buffer: CVPixelBuffer, isFullRange: Bool = true, matrix: Int = 1, path: String) throws(MediaError) {
        let format = AVPixelFormat(frame.pointer.pointee.format)
        var source = Self.side(of: buffer.format)
        source.matrix = Self.coefficients(matrix) ?? SWS_CS_ITU709
        let target =
            format.has(AV_PIX_FMT_FLAG_RGB) ? .rgb(format) : Side(format: format, isFullRange: isFullRange, matrix: source.matrix, chroma: (0, 128))
        try scale(buffer, of: source, to: target, into: frame, path: path)
    }

    private func scale(_ buffer: CVPixelBuffer, of source: Side, to target: Side, into frame: FFmpegFrame, path: String) throws(MediaError) {
        try prepare(Key(width: Int32(buffer.size.width), height: Int32(buffer.size.height), source: source, destination: target), path: path)
        let planes = buffer.planePointers
        let sources = planes.bases.map { UnsafePointer($0) }
        let rows = withUnsafeBytes(of: frame.pointer.pointee.data) { data in
            withUnsafeBytes(of: frame.pointer.pointee.linesize) { strides in
                sws_scale(
                    scaler, sources, planes.strides, 0, Int32(buffer.size.height),
                    data.bindMemory(to: UnsafeMutablePointer<UInt8>?.self).baseAddress, strides.bindMemory(to: Int32.self).baseAddress)
            }
        }
        try Self.check(rows, path: path)
    }

    private func prepare(_ wanted: Key, path: String) throws(MediaError) {
        if key == wanted, scaler != nil { return }
        sws_freeContext(scaler)
        scaler = nil
        guard sws_isSupportedInput(wanted.source.format) != 0, let fresh = sws_alloc_context() else {
            throw MediaError(
                code: .unsupported, path: path, reason: "has a pixel format (\(Self.name(wanted.source.format))) that cannot be converted")
        }
        let options: [(String, Int64)] = [
            ("srcw", Int64(wanted.width)), ("srch", Int64(wanted.height)), ("src_format", Int64(wanted.source.format.rawValue)),
            ("dstw", Int64(wanted.width)), ("dsth", Int64(wanted.height)), ("dst_format", Int64(wanted.destination.format.rawValue)),
            ("src_h_chr_pos", wanted.source.chroma.h), ("src_v_chr_pos", wanted.source.chroma.v),
            ("dst_h_chr_pos", wanted.destination.chroma.h), ("dst_v_chr_pos", wanted.destination.chroma.v),
            ("src_range", wanted.source.isFullRange ? 1 : 0), ("dst_range", wanted.destination.isFullRange ? 1 : 0),
            ("sws_flags", Int64(SWS_BICUBIC | SWS_ACCURATE_RND | SWS_BITEXACT | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP)),
        ]
        for (name, value) in options { av_opt_set_int(UnsafeMutableRawPointer(fresh), name, value, 0) }
        let result = sws_init_context(fresh, nil, nil)
        guard result >= 0 else {
            sws_freeContext(fresh)
            throw MediaError(
                code: .unsupported, path: path, reason: "its pictures cannot be converted", underlying: result, underlyingText: FFmpeg.text(result))
        }
        sws_setColorspaceDetails(
            fresh, sws_getCoefficients(wanted.source.matrix), wanted.source.isFullRange ? 1 : 0,
            sws_getCoefficients(wanted.destination.matrix), wanted.destination.isFullRange ? 1 : 0, 0, 1 << 16, 1 << 16)
        scaler = fresh
        key = wanted
    }
}

extension PictureConverter {
    private static func name(_ format: AVPixelFormat) -> String { av_get_pix_fmt_name(format).map { String(cString: $0) } ?? "unknown" }

    private static func side(of format: OSType) -> Side {
        if format == kCVPixelFormatType_32BGRA { return .rgb(AV_PIX_FMT_BGRA) }
        if format == kCVPixelFormatType_64RGBALE { return .rgb(AV_PIX_FMT_RGBA64LE) }
        let isDeep = format == kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
        let isFull = format == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
        precondition(isDeep || isFull || format == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, "pictures are 32BGRA, 420v, 420f or x420")
        return Side(format: isDeep ? AV_PIX_FMT_P010LE : AV_PIX_FMT_NV12, isFullRange: isFull, matrix: SWS_CS_ITU709, chroma: (0, 128))
    }

    private static func side(of picture: AVFrame) -> Side {
        let (format, isJPEG) = plain(AVPixelFormat(picture.format))
        if format.has(AV_PIX_FMT_FLAG_RGB) { return .rgb(format) }
        let chroma: (Int64, Int64) =
            switch picture.chroma_location {
            case AVCHROMA_LOC_CENTER: (128, 128)
            case AVCHROMA_LOC_TOPLEFT: (0, 0)
            default: (0, 128)
            }
        let isFull = isJPEG || picture.color_range == AVCOL_RANGE_JPEG || isGray(format)
        return Side(format: format, isFullRange: isFull, matrix: matrix(of: picture, isJPEG: isJPEG), chroma: chroma)
    }

    /// Conversion of a picture of more than 8 bits to `420v` of another matrix; nil for everything that libswscale converts.
    private static func conversion(of picture: AVFrame, _ key: Key) -> (YCbCrConversion, YCbCrConversion.Samples<UInt16>)? {
        let (source, target) = (key.source, key.destination)
        let others = UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_FLOAT)
        guard target.format == AV_PIX_FMT_NV12, !target.isFullRange, target.matrix == SWS_CS_ITU709, source.matrix != target.matrix,
            let matrix = YCbCrConversion.Matrix(scaler: source.matrix), let format = av_pix_fmt_desc_get(source.format)?.pointee,
            format.nb_components >= 3, format.flags & others == 0, format.log2_chroma_w == 1, format.log2_chroma_h <= 1,
            format.comp.0.depth > 8, format.comp.0.shift == 0, format.comp.1.step == 2
        else { return nil }
        func codes(_ plane: UnsafeMutablePointer<UInt8>?) -> UnsafePointer<UInt16> {
            UnsafeRawPointer(plane!).assumingMemoryBound(to: UInt16.self)
        }
        return (
            YCbCrConversion(from: matrix, isFullRange: source.isFullRange, depth: Int(format.comp.0.depth)),
            YCbCrConversion.Samples(
                y: codes(picture.data.0), cb: codes(picture.data.1), cr: codes(picture.data.2), lumaStride: Int(picture.linesize.0) / 2,
                chromaStride: Int(picture.linesize.1) / 2, isTall: format.log2_chroma_h == 0)
        )
    }

    private static func isGray(_ format: AVPixelFormat) -> Bool {
        guard let description = av_pix_fmt_desc_get(format)?.pointee else { return false }
        return description.nb_components <= 2 && description.flags & UInt64(AV_PIX_FMT_FLAG_PAL) == 0
    }

    private static func matrix(of picture: AVFrame, isJPEG: Bool) -> Int32 {
        coefficients(Int(picture.colorspace.rawValue)) ?? (picture.height >= 720 && !isJPEG ? SWS_CS_ITU709 : SWS_CS_ITU601)
    }

    /// libswscale's name of a matrix of H.273; nil for one that is unspecified or not known to it.
    private static func coefficients(_ matrix: Int) -> Int32? {
        switch AVColorSpace(UInt32(matrix)) {
        case AVCOL_SPC_BT709: SWS_CS_ITU709
        case AVCOL_SPC_FCC: SWS_CS_FCC
        case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M: SWS_CS_ITU601
        case AVCOL_SPC_SMPTE240M: SWS_CS_SMPTE240M
        case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: SWS_CS_BT2020
        default: nil
        }
    }

    /// Whether a format is one of FFmpeg's `yuvj`.
    static func isJPEG(_ format: AVPixelFormat) -> Bool { plain(format).isJPEG }

    /// FFmpeg's `yuvj` formats are the plain ones in full range.
    private static func plain(_ format: AVPixelFormat) -> (AVPixelFormat, isJPEG: Bool) {
        switch format {
        case AV_PIX_FMT_YUVJ420P: (AV_PIX_FMT_YUV420P, true)
        case AV_PIX_FMT_YUVJ422P: (AV_PIX_FMT_YUV422P, true)
        case AV_PIX_FMT_YUVJ444P: (AV_PIX_FMT_YUV444P, true)
        case AV_PIX_FMT_YUVJ440P: (AV_PIX_FMT_YUV440P, true)
        case AV_PIX_FMT_YUVJ411P: (AV_PIX_FMT_YUV411P, true)
        default: (format, false)
        }
    }
}

extension YCbCrConversion.Matrix {
    /// Matrix of a libswscale constant; nil for one that is rarely met.
    fileprivate init?(scaler matrix: Int32) {
        switch matrix {
        case SWS_CS_ITU601: self = .bt601
        case SWS_CS_ITU709: self = .bt709
        case SWS_CS_BT2020: self = .bt2020
        default: return nil
        }
    }
}

extension CVPixelBuffer {
    /// Plane pointers and strides as C libraries take them, padded to four.
    var planePointers: (bases: [UnsafeMutablePointer<UInt8>?], strides: [Int32]) {
        let count = CVPixelBufferIsPlanar(self) ? 2 : 1
        let planes = (0..<count).map { plane($0) }
        let padding = [UnsafeMutablePointer<UInt8>?](repeating: nil, count: 4 - count)
        return (planes.map { $0.row(0, as: UInt8.self) } + padding, planes.map { Int32($0.bytesPerRow) } + padding.map { _ in 0 })
    }
}

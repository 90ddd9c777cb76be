internal import CFFmpeg
import CoreVideo
import Foundation
import Pipeline

/// Reader of a decoded grey picture as disparity or depth: the darkest code is the lower end of a range, the brightest the upper.
///
/// Grey pictures of 8 to 16 bits span their full code range, so does full-range YUV; video-range YUV spans 16...235 (times its depth).
/// Floating-point samples are what they say, in 1/m or metres. A colour picture is taken when its red, green and blue are equal.
final class GrayReader {
    private let converter = PictureConverter()

    func disparity(of frame: FFmpegFrame, coding: DisparityFileSource.Coding, path: String) throws(MediaError) -> DisparityMap {
        if frame.isFloat { return try readFloats(frame, coding, path: path) }
        switch coding {
        case .disparity(let range): return try disparity(of: frame, range: range, path: path)
        case .depth(let metresPerCode):
            let format = av_pix_fmt_desc_get(AVPixelFormat(frame.pointer.pointee.format))?.pointee
            guard let depth = format?.comp.0.depth, depth == 16 else {
                throw MediaError(
                    code: .unsupported, path: path,
                    reason:
                        "holds \(format?.comp.0.depth ?? 0)-bit pixels; depth is read from 16-bit grey (PNG or FFV1) and from floats (OpenEXR, PFM)")
            }
            let map = try disparity(of: frame, range: 0...65535 * metresPerCode, path: path)
            let confidence = CVPixelBuffer(width: map.width, height: map.height, pixelFormat: kCVPixelFormatType_OneComponent8)
            for y in 0..<map.height {
                let (row, seen) = (map.row(y), confidence.plane(0).row(y, as: UInt8.self))
                for x in 0..<map.width {
                    seen[x] = row[x] > 0 ? 255 : 0
                    if row[x] > 0 { row[x] = 1 / row[x] }
                }
            }
            return DisparityMap(buffer: map.buffer, confidence: confidence, isMetric: true)
        }
    }

    private func disparity(of frame: FFmpegFrame, range: ClosedRange<Double>, path: String) throws(MediaError) -> DisparityMap {
        let picture = frame.pointer.pointee
        let map = CVPixelBuffer(width: frame.width, height: frame.height, pixelFormat: kCVPixelFormatType_DisparityFloat32)
        guard let description = av_pix_fmt_desc_get(AVPixelFormat(picture.format))?.pointee else {
            throw MediaError(code: .unsupported, path: path, reason: "has an unknown pixel format")
        }
        let isColor = description.flags & UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL) != 0
        if isColor, description.comp.0.depth <= 8 {
            try readEqualColors(frame, into: map, range: range, path: path)
        } else {
            guard !isColor, description.flags & UInt64(AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_HWACCEL) == 0,
                (8...16).contains(description.comp.0.depth)
            else {
                throw MediaError(
                    code: .unsupported, path: path,
                    reason:
                        "holds \(frame.pixelFormatName) pixels; disparity is read from 8- to 16-bit grey (PNG, FFV1) and from floats (OpenEXR, PFM)")
            }
            readFirstComponent(picture, description, into: map, range: range)
        }
        return DisparityMap(buffer: map)
    }

    /// Values that are not finite or below 0, of depth 0 as well, are unmeasured; depth without end is disparity 0.
    private func readFloats(_ frame: FFmpegFrame, _ coding: DisparityFileSource.Coding, path: String) throws(MediaError) -> DisparityMap {
        let picture = frame.pointer.pointee
        let isGray = AVPixelFormat(picture.format) == AV_PIX_FMT_GRAYF32LE
        guard isGray || [AV_PIX_FMT_GBRPF32LE, AV_PIX_FMT_GBRAPF32LE].contains(AVPixelFormat(picture.format)) else {
            throw MediaError(
                code: .unsupported, path: path,
                reason: "holds \(frame.pixelFormatName) pixels; of floats, disparity and depth are read from OpenEXR and PFM")
        }
        let isDepth: Bool
        switch coding {
        case .depth: isDepth = true
        case .disparity(let range):
            isDepth = false
            guard range == 0...1 else {
                throw MediaError(
                    code: .mismatch, path: path,
                    reason: "holds floating-point disparity, which is 1/m as it is; leave out the range, it is of grey codes")
            }
        }
        let map = CVPixelBuffer(width: frame.width, height: frame.height, pixelFormat: kCVPixelFormatType_DisparityFloat32)
        let confidence = CVPixelBuffer(width: frame.width, height: frame.height, pixelFormat: kCVPixelFormatType_OneComponent8)
        var isWhole = true
        for y in 0..<frame.height {
            func row(_ plane: UnsafeMutablePointer<UInt8>?, _ stride: Int32) -> UnsafeMutablePointer<Float> {
                UnsafeMutableRawPointer(plane! + y * Int(stride)).assumingMemoryBound(to: Float.self)
            }
            let values = row(picture.data.0, picture.linesize.0)
            if !isGray {
                let (blue, red) = (row(picture.data.1, picture.linesize.1), row(picture.data.2, picture.linesize.2))
                for x in 0..<frame.width where values[x].bitPattern != blue[x].bitPattern || values[x].bitPattern != red[x].bitPattern {
                    throw MediaError(
                        code: .unsupported, path: path,
                        reason: "is a colour picture (pixel \(x), \(y)); disparity and depth are read from one channel")
                }
            }
            let (target, seen) = (map.plane(0).row(y, as: Float.self), confidence.plane(0).row(y, as: UInt8.self))
            for x in 0..<frame.width {
                let value = isDepth ? 1 / values[x] : values[x]
                let isMeasured = value.isFinite && value >= 0
                (target[x], seen[x]) = isMeasured ? (value, 255) : (0, 0)
                isWhole = isWhole && isMeasured
            }
        }
        return DisparityMap(buffer: map, confidence: isWhole ? nil : confidence, isMetric: true)
    }

    private func readFirstComponent(
        _ picture: AVFrame, _ description: AVPixFmtDescriptor, into map: CVPixelBuffer, range: ClosedRange<Double>
    ) {
        let component = description.comp.0
        let depth = Int(component.depth)
        let isGray = description.nb_components <= 2
        let isYUVJ = String(cString: description.name).hasPrefix("yuvj")
        let isFull = isGray || isYUVJ || picture.color_range == AVCOL_RANGE_JPEG
        let low = isFull ? 0 : Double(16 << (depth - 8))
        let high = isFull ? Double((1 << depth) - 1) : Double(235 << (depth - 8))
        let scale = Float((range.upperBound - range.lowerBound) / (high - low))
        let (lower, upper, offset) = (Float(range.lowerBound), Float(range.upperBound), Float(low))
        let isBigEndian = description.flags & UInt64(AV_PIX_FMT_FLAG_BE) != 0
        let (step, shift) = (Int(component.step), UInt16(component.shift))
        let (width, height) = map.size
        let base = UnsafeRawPointer(picture.data.0!) + Int(component.offset)
        let stride = Int(picture.linesize.0)
        for y in 0..<height {
            let source = base + y * stride
            let target = map.plane(0).row(y, as: Float.self)
            for x in 0..<width {
                let code: UInt16
                if depth == 8 {
                    code = UInt16(source.load(fromByteOffset: x * step, as: UInt8.self))
                } else {
                    let word = source.loadUnaligned(fromByteOffset: x * step, as: UInt16.self)
                    code = (isBigEndian ? UInt16(bigEndian: word) : UInt16(littleEndian: word)) >> shift
                }
                target[x] = min(max(lower + (Float(code) - offset) * scale, lower), upper)
            }
        }
    }

    private func readEqualColors(
        _ frame: FFmpegFrame, into map: CVPixelBuffer, range: ClosedRange<Double>, path: String
    ) throws(MediaError) {
        let (width, height) = map.size
        let colors = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_32BGRA)
        try converter.convert(frame, into: colors, path: path)
        let scale = Float((range.upperBound - range.lowerBound) / 255)
        for y in 0..<height {
            let source = colors.plane(0).row(y, as: UInt8.self)
            let target = map.plane(0).row(y, as: Float.self)
            for x in 0..<width {
                let (b, g, r) = (source[4 * x], source[4 * x + 1], source[4 * x + 2])
                guard b == g, g == r else {
                    throw MediaError(
                        code: .unsupported, path: path,
                        reason: "is a colour picture (pixel \(x), \(y)); disparity is read from grey (best: 16-bit grey PNG)")
                }
                target[x] = Float(range.lowerBound) + Float(g) * scale
            }
        }
    }
}

internal import CFFmpeg
import CoreVideo
import Foundation
import Pipeline

/// Reader of a decoded grey picture as disparity or depth: the darkest code is the lower end of a range, the brightest the upper.
///
/// Grey pictures of 8 to 16 bits span their full code range, so does full-range YUV; video-range YUV spans 16...235 (times its depth).
/// A colour picture is taken when its red, green and blue are equal.
final class GrayReader {
    private let converter = PictureConverter()

    func disparity(of frame: FFmpegFrame, coding: DisparityFileSource.Coding, path: String) throws(MediaError) -> DisparityMap {
        switch coding {
        case .disparity(let range): return try disparity(of: frame, range: range, path: path)
        case .depth(let metresPerCode):
            let format = av_pix_fmt_desc_get(AVPixelFormat(frame.pointer.pointee.format))?.pointee
            guard let depth = format?.comp.0.depth, depth == 16 else {
                throw MediaError(
                    code: .unsupported, path: path,
                    reason: "holds \(format?.comp.0.depth ?? 0)-bit pixels; depth is read from 16-bit grey (PNG or FFV1)")
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

    func disparity(of frame: FFmpegFrame, range: ClosedRange<Double>, path: String) throws(MediaError) -> DisparityMap {
        let picture = frame.pointer.pointee
        let map = CVPixelBuffer(width: frame.width, height: frame.height, pixelFormat: kCVPixelFormatType_DisparityFloat32)
        guard let description = av_pix_fmt_desc_get(AVPixelFormat(picture.format))?.pointee else {
            throw MediaError(code: .unsupported, path: path, reason: "has an unknown pixel format")
        }
        let isColor = description.flags & UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL) != 0
        if isColor, description.comp.0.depth <= 8 {
            try readEqualColors(frame, into: map, range: range, path: path)
        } else {
            guard !isColor, description.flags & UInt64(AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_HWACCEL) == 0,
                (8...16).contains(description.comp.0.depth)
            else {
                throw MediaError(
                    code: .unsupported, path: path,
                    reason: "holds \(frame.pixelFormatName) pixels; disparity is read from 8- to 16-bit grey (best: 16-bit grey PNG or FFV1)")
            }
            readFirstComponent(picture, description, into: map, range: range)
        }
        return DisparityMap(buffer: map)
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

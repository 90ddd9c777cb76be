import CPixelLoops
import CoreVideo
import Foundation
import Synchronization

/// Converter of a `420v` picture to the pixel format and the rotation that an output asks for. Pools its buffers.
package final class PictureConverter: Sendable {
    package static let formats: [OSType] = [
        kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_32BGRA,
        kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, kCVPixelFormatType_Lossless_420YpCbCr8BiPlanarVideoRange,
        kCVPixelFormatType_Lossless_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_Lossless_420YpCbCr10PackedBiPlanarVideoRange,
    ]

    private static let fullRangeFormats = [
        kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_Lossless_420YpCbCr8BiPlanarFullRange,
    ]
    private static let tenBitFormats = [
        kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, kCVPixelFormatType_Lossless_420YpCbCr10PackedBiPlanarVideoRange,
    ]

    /// Formats without compression that hold the same bytes as compressed ones.
    package static let plainFormats: [OSType: OSType] = [
        kCVPixelFormatType_Lossless_420YpCbCr8BiPlanarVideoRange: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
        kCVPixelFormatType_Lossless_420YpCbCr8BiPlanarFullRange: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
        kCVPixelFormatType_Lossless_420YpCbCr10PackedBiPlanarVideoRange: kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange,
    ]

    private let pools = Mutex<[CVPixelBufferPool]>([])

    package init() {}

    /// Returns the picture converted, rotated and scaled; the picture itself where nothing is to be done.
    package func convert(
        _ picture: CVPixelBuffer, to format: OSType, rotation: Int, isMirrored: Bool, size: PictureSize? = nil
    ) -> CVPixelBuffer {
        var result = picture
        if rotation != 0 || isMirrored { result = rotate(result, rotation: rotation, isMirrored: isMirrored) }
        if let size, size.fits(PictureSize(of: result)), size != PictureSize(of: result) {
            result = resample(result, width: size.width, height: size.height)
        }
        if format == kCVPixelFormatType_32BGRA { result = toBGRA(result) }
        if Self.fullRangeFormats.contains(format) { result = toFullRange(result, format: format) }
        if format == kCVPixelFormatType_Lossless_420YpCbCr8BiPlanarVideoRange { result = relabel(result, format: format) }
        if Self.tenBitFormats.contains(format) { result = toTenBits(result, format: format) }
        if result !== picture { CVBufferPropagateAttachments(picture, result) }
        if !CVBufferHasAttachment(result, kCVImageBufferYCbCrMatrixKey) { result.tagBT709() }
        return result
    }

    func makeBuffer(width: Int, height: Int, format: OSType) -> CVPixelBuffer {
        pools.withLock { pools in
            if let pool = pools.first(where: { $0.width == width && $0.height == height && $0.pixelFormat == format }) {
                return pool.makeBuffer()
            }
            let pool = CVPixelBufferPool(width: width, height: height, pixelFormat: format)
            pools = pools.suffix(3) + [pool]
            return pool.makeBuffer()
        }
    }

    // MARK: rotation

    private func rotate(_ picture: CVPixelBuffer, rotation: Int, isMirrored: Bool) -> CVPixelBuffer {
        let (width, height) = picture.size
        let isSideways = rotation % 180 != 0
        let rotated = makeBuffer(width: isSideways ? height : width, height: isSideways ? width : height, format: picture.format)
        Self.rotate(picture.plane(0), into: rotated.plane(0), bytesPerPixel: 1, rotation: rotation, isMirrored: isMirrored)
        Self.rotate(picture.plane(1), into: rotated.plane(1), bytesPerPixel: 2, rotation: rotation, isMirrored: isMirrored)
        return rotated
    }

    /// Rotates and mirrors a plane of 1, 2 or 4 bytes a pixel; each row of the result is read along a row or a column of the source, forward or backward.
    static func rotate(_ source: CVBuffer.Plane, into target: CVBuffer.Plane, bytesPerPixel: Int, rotation: Int, isMirrored: Bool) {
        let stride = source.bytesPerRow / bytesPerPixel
        let (right, bottom) = (source.width - 1, source.height - 1)
        for y in 0..<target.height {
            let (x0, y0): (Int, Int)
            var step: Int
            switch rotation {
            case 90: (x0, y0, step) = (y, bottom, -stride)
            case 180: (x0, y0, step) = (right, bottom - y, -1)
            case 270: (x0, y0, step) = (right - y, 0, stride)
            default: (x0, y0, step) = (0, y, 1)
            }
            var start = y0 * stride + x0
            if isMirrored { (start, step) = (start + (target.width - 1) * step, -step) }
            let from = source.base + start * bytesPerPixel
            CPixelLoops_gather(from, step, target.base + y * target.bytesPerRow, target.width, Int32(bytesPerPixel))
        }
    }

    // MARK: pixel format

    private func toBGRA(_ picture: CVPixelBuffer) -> CVPixelBuffer {
        let (width, height) = picture.size
        let result = makeBuffer(width: width, height: height, format: kCVPixelFormatType_32BGRA)
        let (luma, chroma, target) = (picture.plane(0), picture.plane(1), result.plane(0))
        let bands = 8
        DispatchQueue.concurrentPerform(iterations: bands) { band in
            for y in height * band / bands..<height * (band + 1) / bands {
                CPixelLoops_convertToBGRA(luma.row(y, as: UInt8.self), chroma.row(y / 2, as: UInt8.self), target.row(y), width)
            }
        }
        return result
    }

    private static let fullLuma: [UInt8] = (0..<256).map { UInt8(clamping: (($0 - 16) * 510 + 219) / 438) }
    private static let fullChroma: [UInt8] = (0..<256).map { UInt8(clamping: Int((Double($0 - 128) * 255 / 224).rounded()) + 128) }

    /// Copies a picture into a buffer of a format that holds the same bytes.
    package func relabel(_ picture: CVPixelBuffer, format: OSType) -> CVPixelBuffer {
        let result = makeBuffer(width: picture.size.width, height: picture.size.height, format: format)
        picture.copyPixels(to: result)
        return result
    }

    private func toFullRange(_ picture: CVPixelBuffer, format: OSType) -> CVPixelBuffer {
        let (width, height) = picture.size
        let result = makeBuffer(width: width, height: height, format: format)
        for (index, table) in [Self.fullLuma, Self.fullChroma].enumerated() {
            let (source, target) = (picture.plane(index), result.plane(index))
            let bytes = index == 0 ? source.width : 2 * source.width
            table.withUnsafeBufferPointer { table in
                for y in 0..<source.height { CPixelLoops_map(source.row(y, as: UInt8.self), table.baseAddress, target.row(y), bytes) }
            }
        }
        return result
    }
}

internal import CZstd
import CoreVideo
import Foundation
import Pipeline

/// Disparity map compressed without loss by Zstandard (RFC 8878), with a checksum: what is kept of one between renders.
///
/// Six 32-bit words, little endian: width, height, 1 where metric, width and height of the confidence mask (0 without), bytes of the planes; then one
/// Zstandard frame of the planes: the first bytes of all values, the second ones, and so on, then the mask.
package struct CompressedDisparity {
    /// Error of bytes that are no map, or a damaged one.
    package struct Damage: Error, Equatable {}

    /// Fast: a map is compressed while the next is made.
    private static let level: Int32 = 1
    /// Most values of a map, so that a damaged header asks for no more memory than a picture has.
    private static let mostValues = 8192 * 8192
    private static let words = 6

    /// Compressed bytes.
    package let data: Data

    /// Compresses a map; throws `Damage` where Zstandard cannot, for want of memory.
    package init(_ map: DisparityMap) throws {
        let mask: (width: Int, height: Int) = map.confidence?.size ?? (0, 0)
        let count = map.width * map.height
        let size = 4 * count + mask.width * mask.height
        let planes = [UInt8](unsafeUninitializedCapacity: size) { planes, initialized in
            let base = planes.baseAddress!
            for y in 0..<map.height {
                let row = map.row(y)
                let (a, b) = (base + y * map.width, base + count + y * map.width)
                let (c, d) = (a + 2 * count, b + 2 * count)
                for x in 0..<map.width {
                    let bits = row[x].bitPattern
                    (a[x], b[x]) = (UInt8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits >> 8))
                    (c[x], d[x]) = (UInt8(truncatingIfNeeded: bits >> 16), UInt8(truncatingIfNeeded: bits >> 24))
                }
            }
            for y in 0..<mask.height {
                (base + 4 * count + y * mask.width).update(from: map.confidence!.plane(0).row(y, as: UInt8.self), count: mask.width)
            }
            initialized = size
        }
        var bytes = Data()
        for word in [map.width, map.height, map.isMetric ? 1 : 0, mask.width, mask.height, planes.count] {
            withUnsafeBytes(of: UInt32(word).littleEndian) { bytes.append(contentsOf: $0) }
        }
        guard let context = ZSTD_createCCtx() else { throw Damage() }
        defer { ZSTD_freeCCtx(context) }
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, Self.level)
        ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
        let frame = [UInt8](unsafeUninitializedCapacity: ZSTD_compressBound(planes.count)) { frame, written in
            let size = ZSTD_compress2(context, frame.baseAddress, frame.count, planes, planes.count)
            written = ZSTD_isError(size) == 0 ? size : 0
        }
        guard !frame.isEmpty else { throw Damage() }
        data = bytes + frame
    }

    /// Takes bytes to decompress.
    package init(_ data: Data) { self.data = data }

    /// The map, bit for bit; throws `Damage` for bytes that are none.
    package func map() throws(Damage) -> DisparityMap {
        let bytes = [UInt8](data)
        guard bytes.count > 4 * Self.words else { throw Damage() }
        let header = (0..<Self.words).map { word in (0..<4).reduce(0) { $0 | Int(bytes[4 * word + $1]) << (8 * $1) } }
        let (width, height, mask) = (header[0], header[1], (width: header[3], height: header[4]))
        let (values, share) = (width.multipliedReportingOverflow(by: height), mask.width.multipliedReportingOverflow(by: mask.height))
        guard width > 0, height > 0, header[2] <= 1, !values.overflow, !share.overflow, values.partialValue <= Self.mostValues,
            share.partialValue <= Self.mostValues, header[5] == 4 * values.partialValue + share.partialValue
        else { throw Damage() }
        let count = values.partialValue
        let planes = [UInt8](unsafeUninitializedCapacity: header[5]) { planes, written in
            let size = bytes.withUnsafeBytes {
                ZSTD_decompress(planes.baseAddress, planes.count, $0.baseAddress! + 4 * Self.words, $0.count - 4 * Self.words)
            }
            written = size == header[5] ? size : 0
        }
        guard planes.count == header[5] else { throw Damage() }
        let buffer = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_DisparityFloat32)
        planes.withUnsafeBufferPointer { planes in
            for y in 0..<height {
                let row = buffer.plane(0).row(y, as: Float.self)
                let (a, b) = (planes.baseAddress! + y * width, planes.baseAddress! + count + y * width)
                let (c, d) = (a + 2 * count, b + 2 * count)
                for x in 0..<width { row[x] = Float(bitPattern: UInt32(a[x]) | UInt32(b[x]) << 8 | UInt32(c[x]) << 16 | UInt32(d[x]) << 24) }
            }
        }
        guard share.partialValue > 0 else { return DisparityMap(buffer: buffer, isMetric: header[2] == 1) }
        let confidence = CVPixelBuffer(width: mask.width, height: mask.height, pixelFormat: kCVPixelFormatType_OneComponent8)
        for y in 0..<mask.height {
            let row = confidence.plane(0).row(y, as: UInt8.self)
            for x in 0..<mask.width { row[x] = planes[4 * count + y * mask.width + x] }
        }
        return DisparityMap(buffer: buffer, confidence: confidence, isMetric: header[2] == 1)
    }
}

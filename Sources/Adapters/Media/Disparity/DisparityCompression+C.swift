internal import CZstd
import CoreVideo
import Foundation
import Pipeline
import Synchronization

/// Compression of disparity maps without loss by Zstandard (RFC 8878), with a checksum: what is kept of one between renders. Its memory is used again,
/// as new pages cost more than what is written into them.
///
/// Six 32-bit words, little endian: width, height, 1 where metric, width and height of the confidence mask (0 without), bytes of the planes; then one
/// Zstandard frame of the planes: the first bytes of all values, the second ones, and so on, then the mask.
package final class DisparityCompression: Sendable {
    /// Error of bytes that are no map, or a damaged one.
    package struct Damage: Error, Equatable {}

    /// Fast: a map is compressed while the next is made.
    private static let level: Int32 = 1
    /// Most values of a map, so that a damaged header asks for no more memory than a picture has.
    private static let mostValues = 8192 * 8192
    private static let words = 6

    private let memory = Mutex(Memory())

    private struct Memory: ~Copyable {
        var context: OpaquePointer?
        var planes: [UInt8] = []
        var frame: [UInt8] = []
        /// Of the maps, and of their masks.
        var pools: [CVPixelBufferPool] = []

        deinit { ZSTD_freeCCtx(context) }

        /// Room for so many bytes of planes.
        mutating func reserve(_ count: Int) {
            if planes.count < count { planes = [UInt8](repeating: 0, count: count) }
        }

        mutating func buffer(_ width: Int, _ height: Int, _ format: OSType) -> CVPixelBuffer {
            if let pool = pools.first(where: { ($0.width, $0.height, $0.pixelFormat) == (width, height, format) }) { return pool.makeBuffer() }
            pools.removeAll { $0.pixelFormat == format }
            pools.append(CVPixelBufferPool(width: width, height: height, pixelFormat: format))
            return pools.last!.makeBuffer()
        }
    }

    /// Allocates nothing yet.
    package init() {}

    /// Bytes of a map; throws `Damage` where Zstandard cannot, for want of memory.
    package func compressed(_ map: DisparityMap) throws(Damage) -> Data {
        let mask: (width: Int, height: Int) = map.confidence?.size ?? (0, 0)
        let count = map.width * map.height
        let size = 4 * count + mask.width * mask.height
        return try memory.withLock { memory throws(Damage) in
            memory.reserve(size)
            memory.planes.withUnsafeMutableBufferPointer { Self.split(map, into: $0.baseAddress!) }
            if memory.context == nil {
                guard let context = ZSTD_createCCtx() else { throw Damage() }
                ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, Self.level)
                ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
                memory.context = context
            }
            let most = ZSTD_compressBound(size)
            if memory.frame.count < most { memory.frame = [UInt8](repeating: 0, count: most) }
            let written = ZSTD_compress2(memory.context, &memory.frame, memory.frame.count, memory.planes, size)
            guard ZSTD_isError(written) == 0 else { throw Damage() }
            var bytes = Data(capacity: 4 * Self.words + written)
            for word in [map.width, map.height, map.isMetric ? 1 : 0, mask.width, mask.height, size] {
                withUnsafeBytes(of: UInt32(word).littleEndian) { bytes.append(contentsOf: $0) }
            }
            bytes.append(contentsOf: memory.frame[..<written])
            return bytes
        }
    }

    /// Writes the planes of bytes of a map's values, then its mask.
    private static func split(_ map: DisparityMap, into base: UnsafeMutablePointer<UInt8>) {
        let count = map.width * map.height
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
        guard let mask = map.confidence else { return }
        for y in 0..<mask.size.height {
            (base + 4 * count + y * mask.size.width).update(from: mask.plane(0).row(y, as: UInt8.self), count: mask.size.width)
        }
    }

    /// The map that bytes hold, bit for bit; throws `Damage` for bytes that are none.
    package func map(_ data: Data) throws(Damage) -> DisparityMap {
        guard data.count > 4 * Self.words else { throw Damage() }
        let bytes = data.prefix(4 * Self.words).map { Int($0) }
        let header = (0..<Self.words).map { word in (0..<4).reduce(0) { $0 | bytes[4 * word + $1] << (8 * $1) } }
        let (width, height, mask) = (header[0], header[1], (width: header[3], height: header[4]))
        let (values, share) = (width.multipliedReportingOverflow(by: height), mask.width.multipliedReportingOverflow(by: mask.height))
        guard width > 0, height > 0, header[2] <= 1, !values.overflow, !share.overflow, values.partialValue <= Self.mostValues,
            share.partialValue <= Self.mostValues, header[5] == 4 * values.partialValue + share.partialValue
        else { throw Damage() }
        return try memory.withLock { memory throws(Damage) in
            memory.reserve(header[5])
            let read = data.withUnsafeBytes {
                ZSTD_decompress(&memory.planes, header[5], $0.baseAddress! + 4 * Self.words, $0.count - 4 * Self.words)
            }
            guard read == header[5] else { throw Damage() }
            let buffer = memory.buffer(width, height, kCVPixelFormatType_DisparityFloat32)
            let confidence = share.partialValue > 0 ? memory.buffer(mask.width, mask.height, kCVPixelFormatType_OneComponent8) : nil
            memory.planes.withUnsafeBufferPointer { Self.join($0.baseAddress!, into: buffer, confidence) }
            return DisparityMap(buffer: buffer, confidence: confidence, isMetric: header[2] == 1)
        }
    }

    /// Reads what `split` wrote.
    private static func join(_ base: UnsafePointer<UInt8>, into buffer: CVPixelBuffer, _ mask: CVPixelBuffer?) {
        let (width, height) = buffer.size
        let count = width * height
        for y in 0..<height {
            let row = buffer.plane(0).row(y, as: Float.self)
            let (a, b) = (base + y * width, base + count + y * width)
            let (c, d) = (a + 2 * count, b + 2 * count)
            for x in 0..<width { row[x] = Float(bitPattern: UInt32(a[x]) | UInt32(b[x]) << 8 | UInt32(c[x]) << 16 | UInt32(d[x]) << 24) }
        }
        guard let mask else { return }
        for y in 0..<mask.size.height {
            mask.plane(0).row(y, as: UInt8.self).update(from: base + 4 * count + y * mask.size.width, count: mask.size.width)
        }
    }
}

import AVFCapture
import CoreVideo
import Foundation
import Pipeline
import Support

/// PNG file of a picture, its pixels uncompressed: a file that any reader opens, made without a library.
///
/// After the PNG specification (ISO/IEC 15948), with stored blocks of deflate (RFC 1951, 3.2.4).
enum PNG {
    /// Encodes a `420v` picture as 8-bit RGB, its pixels as the camera saw them; how it is to be turned stands in the EXIF data.
    static func data(_ picture: CVPixelBuffer, _ photo: PhotoDescription) -> Data {
        let image = PictureConverter().convert(picture, to: kCVPixelFormatType_32BGRA, rotation: 0, isMirrored: false).plane(0)
        var rows: [UInt8] = []
        rows.reserveCapacity(image.height * (1 + 3 * image.width))
        for y in 0..<image.height {
            let row = image.row(y, as: UInt8.self)
            rows.append(0)
            for x in 0..<image.width {
                rows.append(row[4 * x + 2])
                rows.append(row[4 * x + 1])
                rows.append(row[4 * x])
            }
        }
        var file = Data(PNGChunk.signature)
        file += PNGChunk.data("IHDR", bytes(UInt32(image.width)) + bytes(UInt32(image.height)) + [8, 2, 0, 0, 0])
        file += PNGChunk.data("IDAT", stored(rows))
        file += PNGChunk.data("IEND", [])
        return EXIFPlace.insert(photo.exif(width: image.width, height: image.height), into: file, .png)
    }

    /// Wraps bytes as a zlib stream (RFC 1950) of stored blocks.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        stream.reserveCapacity(bytes.count + bytes.count / 1000 + 16)
        var start = 0
        repeat {
            let end = min(start + 65_535, bytes.count)
            let length = UInt16(end - start)
            stream += [end == bytes.count ? 1 : 0, UInt8(length & 0xFF), UInt8(length >> 8), UInt8(~length & 0xFF), UInt8(~length >> 8)]
            stream += bytes[start..<end]
            start = end
        } while start < bytes.count
        return stream + Self.bytes(adler32(bytes))
    }

    private static func bytes(_ number: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }

    /// Checksum of RFC 1950; its sums are reduced every 5552 bytes, before they overflow 32 bits.
    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for start in stride(from: 0, to: bytes.count, by: 5552) {
            for byte in bytes[start..<min(start + 5552, bytes.count)] {
                low &+= UInt32(byte)
                high &+= low
            }
            low %= 65_521
            high %= 65_521
        }
        return high << 16 | low
    }
}

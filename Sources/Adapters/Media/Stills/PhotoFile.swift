import CoreVideo
import Foundation
import Pipeline

/// Encoder of photos: JPEG, or lossless PNG, each with EXIF.
public enum PhotoFile {
    /// Encodes a `420v` or `32BGRA` picture as the bytes of a file; throws `MediaError`.
    public static func data(_ picture: CVPixelBuffer, _ photo: PhotoDescription) throws -> Data {
        let exif = EXIF.data(of: photo, width: picture.size.width, height: picture.size.height)
        switch photo.fileType {
        case .jpeg: return insert(exif, intoJPEG: try JPEGEncoder.encode(picture, path: "photo"))
        case .png: return insert(exif, intoPNG: try PictureFile.pngData(picture, path: "photo"))
        }
    }

    /// Inserts EXIF as the segment APP1, first after the start of the image.
    private static func insert(_ exif: Data, intoJPEG file: Data) -> Data {
        let segment = Data("Exif\0\0".utf8) + exif
        return file.prefix(2) + [0xFF, 0xE1] + bigEndian(UInt16(segment.count + 2)) + segment + file.dropFirst(2)
    }

    /// Inserts EXIF as the chunk eXIf, after the header.
    private static func insert(_ exif: Data, intoPNG file: Data) -> Data {
        let headerEnd = 8 + 25
        let body = Data("eXIf".utf8) + exif
        return file.prefix(headerEnd) + bigEndian(UInt32(exif.count)) + body + bigEndian(checksum(body)) + file.dropFirst(headerEnd)
    }

    private static func bigEndian(_ value: some FixedWidthInteger) -> Data { withUnsafeBytes(of: value.bigEndian) { Data($0) } }

    /// CRC-32 as in PNG.
    private static func checksum(_ bytes: Data) -> UInt32 {
        var checksum = ~UInt32(0)
        for byte in bytes {
            checksum ^= UInt32(byte)
            for _ in 0..<8 { checksum = checksum & 1 == 1 ? (checksum >> 1) ^ 0xEDB8_8320 : checksum >> 1 }
        }
        return ~checksum
    }
}

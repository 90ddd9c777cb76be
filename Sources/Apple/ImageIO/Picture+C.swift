import CJPEGFiles
import CPNGFiles
import Foundation
import Support

/// Picture of 8 bits a component, rows without padding; the only file with foreign calls.
package struct Picture: Equatable {
    package var width: Int
    package var height: Int
    /// 1 is grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha (not multiplied).
    package var components: Int
    package var bytes: Data

    /// Failure of a library.
    struct Failure: Error, CustomStringConvertible {
        /// Words of the library.
        let description: String
    }

    /// Reads a file; without its pixels, `bytes` is empty.
    init(_ file: Data, _ format: PictureFileFormat, withPixels: Bool = true) throws(Failure) {
        var raw = image_file_pixels()
        var message = [CChar](repeating: 0, count: image_file_message_size)
        let status = file.withUnsafeBytes { file in
            let start = file.baseAddress?.assumingMemoryBound(to: UInt8.self)
            let read = format == .jpeg ? jpeg_file_read : png_file_read
            return read(start, file.count, withPixels ? 0 : 1, &raw, &message)
        }
        guard status == 0 else { throw Failure(description: Self.text(message)) }
        (width, height, components) = (Int(raw.width), Int(raw.height), Int(raw.components))
        let count = width * height * components
        bytes = raw.bytes.map { Data(bytesNoCopy: $0, count: count, deallocator: .free) } ?? Data()
    }

    /// Makes a picture of its parts.
    init(width: Int, height: Int, components: Int, bytes: Data) {
        (self.width, self.height, self.components, self.bytes) = (width, height, components, bytes)
    }

    /// Makes a file; quality is 0…1, for JPEG, which has no alpha.
    func file(_ format: PictureFileFormat, quality: Double) throws(Failure) -> Data {
        var picture = format == .jpeg ? withoutAlpha : self
        var file = image_file_bytes()
        var message = [CChar](repeating: 0, count: image_file_message_size)
        let (width, height, components) = (Int32(picture.width), Int32(picture.height), Int32(picture.components))
        let status = picture.bytes.withUnsafeMutableBytes { bytes in
            var raw = image_file_pixels(
                bytes: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), width: width, height: height, components: components)
            return format == .jpeg
                ? jpeg_file_write(&raw, Int32((1 + 99 * min(max(quality, 0), 1)).rounded()), &file, &message) : png_file_write(&raw, &file, &message)
        }
        guard status == 0, let bytes = file.bytes else { throw Failure(description: Self.text(message)) }
        return Data(bytesNoCopy: bytes, count: file.count, deallocator: .free)
    }

    private static func text(_ message: [CChar]) -> String {
        String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

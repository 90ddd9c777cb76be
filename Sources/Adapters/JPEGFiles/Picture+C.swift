package import CJPEGFiles
import Foundation

/// Picture of 8 bits a component, rows without padding, from and to JPEG files through libjpeg; the only file of the module with foreign calls.
package struct Picture: Equatable {
    package var width: Int
    package var height: Int
    /// 1 is grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha (not multiplied).
    package var components: Int
    package var bytes: Data

    /// Failure of a library.
    package struct Failure: Error, CustomStringConvertible {
        /// Words of the library.
        package let description: String
    }

    /// Makes a picture of its parts.
    package init(width: Int, height: Int, components: Int, bytes: Data) {
        (self.width, self.height, self.components, self.bytes) = (width, height, components, bytes)
    }

    /// Reads a JPEG file; without its pixels, `bytes` is empty.
    package init(jpeg file: Data, withPixels: Bool = true) throws(Failure) { try self.init(file, withPixels, jpeg_file_read) }

    /// Makes a JPEG file of 1 or 3 components; quality is 1…100.
    package func jpeg(quality: Int) throws(Failure) -> Data {
        try file { jpeg_file_write($0, Int32(quality), $1, $2) }
    }

    /// Reader of a library: a file and its size, whether only the header is wanted, the picture, and the words of a failure; 0 is success.
    package typealias Reader = (UnsafePointer<UInt8>?, Int, Int32, UnsafeMutablePointer<image_file_pixels>?, UnsafeMutablePointer<CChar>?) -> Int32
    /// Writer of a library: the picture, the file, and the words of a failure; 0 is success.
    package typealias Writer = (UnsafePointer<image_file_pixels>?, UnsafeMutablePointer<image_file_bytes>?, UnsafeMutablePointer<CChar>?) -> Int32

    /// Reads a file with a library's function.
    package init(_ file: Data, _ withPixels: Bool, _ read: Reader) throws(Failure) {
        var raw = image_file_pixels()
        var message = [CChar](repeating: 0, count: image_file_message_size)
        let status = file.withUnsafeBytes { file in
            read(file.baseAddress?.assumingMemoryBound(to: UInt8.self), file.count, withPixels ? 0 : 1, &raw, &message)
        }
        guard status == 0 else { throw Failure(message) }
        (width, height, components) = (Int(raw.width), Int(raw.height), Int(raw.components))
        let count = width * height * components
        bytes = raw.bytes.map { Data(bytesNoCopy: $0, count: count, deallocator: .free) } ?? Data()
    }

    /// Makes a file with a library's function.
    package func file(_ write: Writer) throws(Failure) -> Data {
        var file = image_file_bytes()
        var message = [CChar](repeating: 0, count: image_file_message_size)
        var bytes = bytes
        let status = bytes.withUnsafeMutableBytes { bytes in
            var raw = image_file_pixels(
                bytes: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), width: Int32(width), height: Int32(height),
                components: Int32(components))
            return write(&raw, &file, &message)
        }
        guard status == 0, let made = file.bytes else { throw Failure(message) }
        return Data(bytesNoCopy: made, count: file.count, deallocator: .free)
    }
}

extension Picture.Failure {
    fileprivate init(_ message: [CChar]) {
        description = String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

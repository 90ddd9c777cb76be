import AVFoundation
import CJPEGFiles
import CoreVideo
import Foundation
import Pipeline
import Support

/// JPEG file of a picture with its properties as EXIF data, through libjpeg.
enum JPEG {
    /// Failure of the library.
    struct Failure: Error, CustomStringConvertible {
        /// Words of the library.
        let description: String
    }

    /// Encodes a `420v` picture, its pixels as the camera saw them; how it is to be turned stands in the EXIF data.
    static func data(_ picture: CVPixelBuffer, _ photo: PhotoDescription) throws -> Data {
        let image = PictureConverter().convert(picture, to: kCVPixelFormatType_32BGRA, rotation: 0, isMirrored: false).plane(0)
        let (width, height) = (image.width, image.height)
        var pixels = [UInt8](repeating: 0, count: 3 * width * height)
        pixels.withUnsafeMutableBufferPointer { pixels in
            for y in 0..<height {
                let row = image.row(y, as: UInt8.self)
                for x in 0..<width { for component in 0..<3 { pixels[3 * (y * width + x) + component] = row[4 * x + 2 - component] } }
            }
        }
        var file = image_file_bytes()
        var message = [CChar](repeating: 0, count: image_file_message_size)
        let status = pixels.withUnsafeMutableBufferPointer { pixels in
            var raw = image_file_pixels(bytes: pixels.baseAddress, width: Int32(width), height: Int32(height), components: 3)
            return jpeg_file_write(&raw, 90, &file, &message)
        }
        guard status == 0, let bytes = file.bytes else {
            throw Failure(description: String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
        let data = Data(bytesNoCopy: bytes, count: file.count, deallocator: .free)
        let properties = photo.properties(width: width, height: height)
        return EXIFWriter(properties: properties).data.map { EXIFPlace.insert($0, into: data, .jpeg) } ?? data
    }
}

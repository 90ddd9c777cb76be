import CPNGFiles
import Foundation
import JPEGFiles
import Support

extension Picture {
    /// Reads a file; without its pixels, `bytes` is empty.
    init(_ file: Data, _ format: PictureFileFormat, withPixels: Bool = true) throws(Failure) {
        if format == .jpeg { try self.init(jpeg: file, withPixels: withPixels) } else { try self.init(file, withPixels, png_file_read) }
    }

    /// Makes a file; quality is 0…1, for JPEG, which has no alpha.
    func file(_ format: PictureFileFormat, quality: Double) throws(Failure) -> Data {
        if format == .jpeg { return try withoutAlpha.jpeg(quality: Int((1 + 99 * min(max(quality, 0), 1)).rounded())) }
        return try file { png_file_write($0, $1, $2) }
    }
}

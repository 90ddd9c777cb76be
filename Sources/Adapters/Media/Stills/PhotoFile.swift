import CoreVideo
import Foundation
import Pipeline
import Support

/// Encoder of photos: JPEG, or lossless PNG, each with EXIF.
public enum PhotoFile {
    /// Encodes a `420v` or `32BGRA` picture as the bytes of a file; throws `MediaError`.
    public static func data(_ picture: CVPixelBuffer, _ photo: PhotoDescription) throws -> Data {
        let exif = photo.exif(width: picture.size.width, height: picture.size.height)
        switch photo.fileType {
        case .jpeg: return EXIFPlace.insert(exif, into: try JPEGEncoder.encode(picture, path: "photo"), .jpeg)
        case .png: return EXIFPlace.insert(exif, into: try PictureFile.pngData(picture, path: "photo"), .png)
        }
    }
}

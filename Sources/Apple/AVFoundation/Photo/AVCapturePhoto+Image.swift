import CoreVideo
import Foundation
import Pipeline

/// Bitmaps of a photo.
extension AVCapturePhoto {
    /// Returns the photo as a bitmap, its pixels as the camera saw them; nil where the capture failed.
    public func cgImageRepresentation() -> CGImage? { source.flatMap { Self.image($0.picture) } }

    /// Returns the small picture as a bitmap; nil where none was asked for.
    public func previewCGImageRepresentation() -> CGImage? { previewPixelBuffer.flatMap(Self.image) }

    private static func image(_ picture: CVPixelBuffer) -> CGImage? {
        if picture.format == kCVPixelFormatType_32BGRA { return CGImage.make(picture) }
        // Pictures and previews are 420v; those in another format are not converted back.
        guard picture.format == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange else { return nil }
        return CGImage.make(PictureConverter().convert(picture, to: kCVPixelFormatType_32BGRA, rotation: 0, isMirrored: false))
    }
}

/// Proxy that comes before a photo of deferred processing; none is ever delivered here.
open class AVCaptureDeferredPhotoProxy: AVCapturePhoto, @unchecked Sendable {}

import CoreVideo
import Foundation
import Pipeline

/// Bitmaps of a photo.
extension AVCapturePhoto {
    /// Returns the photo as a bitmap, its pixels as the camera saw them; nil where the capture failed.
    public func cgImageRepresentation() -> CGImage? { source.flatMap { Self.image($0.picture, size: PictureSize(of: $0.picture)) } }

    /// Returns the small picture as a bitmap; nil where none was asked for.
    public func previewCGImageRepresentation() -> CGImage? {
        guard let source, let previewPixelBuffer else { return nil }
        return Self.image(source.picture, size: PictureSize(of: previewPixelBuffer))
    }

    private static func image(_ picture: CVPixelBuffer, size: PictureSize) -> CGImage? {
        CGImage.make(PictureConverter().convert(picture, to: kCVPixelFormatType_32BGRA, rotation: 0, isMirrored: false, size: size))
    }
}

/// Proxy of a photo that Photos processes once the app has saved it as a resource `.photoProxy`; here it is the photo itself.
open class AVCaptureDeferredPhotoProxy: AVCapturePhoto, @unchecked Sendable {
    convenience init(of photo: AVCapturePhoto) {
        self.init(
            timestamp: photo.timestamp, pixelBuffer: photo.pixelBuffer, previewPixelBuffer: photo.previewPixelBuffer,
            resolvedSettings: photo.resolvedSettings, depthData: photo.depthData, source: photo.source)
    }
}

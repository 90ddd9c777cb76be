import CoreMedia
import CoreVideo
import Foundation
import Pipeline

/// What a capture's settings came to.
public final class AVCaptureResolvedPhotoSettings: NSObject, Sendable {
    /// The number of the settings it was asked with.
    public let uniqueID: Int64
    /// Pixels of the photo, before it is turned upright.
    public let photoDimensions: CMVideoDimensions
    /// Zero without a preview.
    public let previewDimensions: CMVideoDimensions
    public let expectedPhotoCount = 1
    /// Whether the flash fires.
    public let isFlashEnabled: Bool

    init(uniqueID: Int64, photoDimensions: CMVideoDimensions, previewDimensions: CMVideoDimensions, isFlashEnabled: Bool = false) {
        self.isFlashEnabled = isFlashEnabled
        self.uniqueID = uniqueID
        self.photoDimensions = photoDimensions
        self.previewDimensions = previewDimensions
    }
}

/// One photo, with the simulated aperture rendered where cinematic capture is enabled.
public final class AVCapturePhoto: NSObject, Sendable {
    /// Of the frame it was taken from, on the session's clock.
    public let timestamp: CMTime
    /// In the format that was asked for; nil for a JPEG photo, and where the capture failed.
    public let pixelBuffer: CVPixelBuffer?
    /// The small picture that was asked for, or nil.
    public let previewPixelBuffer: CVPixelBuffer?
    public let resolvedSettings: AVCaptureResolvedPhotoSettings
    /// Of the frame, where the settings asked for it; its pixels are as the camera saw them. The file has none.
    public let depthData: AVDepthData?
    /// 1 for the first and only.
    public let photoCount = 1
    public let isRawPhoto = false
    private let source: Source?

    /// What the file is made of.
    struct Source: Sendable {
        let picture: CVPixelBuffer
        let description: PhotoDescription
        let environment: CaptureEnvironment
    }

    init(
        timestamp: CMTime, pixelBuffer: CVPixelBuffer?, previewPixelBuffer: CVPixelBuffer?, resolvedSettings: AVCaptureResolvedPhotoSettings,
        depthData: AVDepthData? = nil, source: Source?
    ) {
        self.timestamp = timestamp
        self.pixelBuffer = pixelBuffer
        self.previewPixelBuffer = previewPixelBuffer
        self.resolvedSettings = resolvedSettings
        self.depthData = depthData
        self.source = source
    }

    /// The photo as a file: JPEG; PNG for one that was asked for in a pixel format. Nil where it failed or nobody makes files.
    public func fileDataRepresentation() -> Data? {
        guard let source, let encode = source.environment.encodePhoto else { return nil }
        do {
            return try encode(source.picture, source.description)
        } catch {
            source.environment.diagnose("the photo's file could not be made: \(error)")
            return nil
        }
    }

    /// How it was taken, under ImageIO's keys; empty where the capture failed.
    public var metadata: [String: Any] {
        guard let photo = source?.description else { return [:] }
        var exif: [String: Any] = [
            "PixelXDimension": Int(resolvedSettings.photoDimensions.width), "PixelYDimension": Int(resolvedSettings.photoDimensions.height),
        ]
        if let exposure = photo.exposure {
            exif["ExposureTime"] = exposure.duration
            exif["ISOSpeedRatings"] = [Int(exposure.iso.rounded())]
        }
        exif["FNumber"] = photo.fNumber
        exif["FocalLenIn35mmFilm"] = photo.focalLength.map { Int($0.rounded()) }
        return [
            "Orientation": photo.orientation, "{Exif}": exif, "{TIFF}": ["Model": photo.camera, "Orientation": photo.orientation] as [String: Any],
        ]
    }
}

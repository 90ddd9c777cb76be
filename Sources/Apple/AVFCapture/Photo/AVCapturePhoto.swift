import CoreMedia
import CoreVideo
import Foundation
import Pipeline

/// Outcome of a capture's settings.
open class AVCaptureResolvedPhotoSettings: _SendableObject, @unchecked Sendable {
    /// Number of the settings that asked for the photo.
    public let uniqueID: Int64
    /// Size of the photo in pixels, before it is turned upright; 0 × 0 where the capture failed.
    public let photoDimensions: CMVideoDimensions
    /// Size of the preview in pixels; 0 × 0 without one.
    public let previewDimensions: CMVideoDimensions
    /// Number of photos that the capture makes: 1, or that of a bracket's steps.
    public let expectedPhotoCount: Int
    /// Whether the flash fires for the photo.
    public let isFlashEnabled: Bool

    /// Size of the raw photo in pixels: 0 × 0, as there is none.
    public let rawPhotoDimensions = CMVideoDimensions()
    /// Size of the small picture within the file: 0 × 0, as there is none.
    public let embeddedThumbnailDimensions = CMVideoDimensions()
    /// Size of a Live Photo's movie in pixels, before it is turned upright; 0 × 0 without one.
    public let livePhotoMovieDimensions: CMVideoDimensions
    /// Size of a proxy that comes in place of the photo, in pixels; 0 × 0 without one.
    public let deferredPhotoProxyDimensions: CMVideoDimensions
    /// Whether red eyes are mended; never here.
    public let isRedEyeReductionEnabled = false
    /// Whether pictures of several cameras are combined; never here.
    public let isVirtualDeviceFusionEnabled = false
    /// Whether distortion about faces is corrected; never here.
    public let isContentAwareDistortionCorrectionEnabled = false
    /// Whether quality gives way to a fast capture; never here.
    public let isFastCapturePrioritizationEnabled = false
    /// Time that the photo takes to be made, at least and at most: none on the session's clock.
    public let photoProcessingTimeRange = CMTimeRange(start: .zero, duration: .zero)
    /// Size of a matte of people in pixels: 0 × 0, as there is none.
    public let portraitEffectsMatteDimensions = CMVideoDimensions()

    init(
        uniqueID: Int64, photoDimensions: CMVideoDimensions, previewDimensions: CMVideoDimensions, isFlashEnabled: Bool = false,
        expectedPhotoCount: Int = 1, livePhotoMovieDimensions: CMVideoDimensions = CMVideoDimensions(),
        deferredPhotoProxyDimensions: CMVideoDimensions = CMVideoDimensions()
    ) {
        self.deferredPhotoProxyDimensions = deferredPhotoProxyDimensions
        self.livePhotoMovieDimensions = livePhotoMovieDimensions
        self.isFlashEnabled = isFlashEnabled
        self.expectedPhotoCount = expectedPhotoCount
        self.uniqueID = uniqueID
        self.photoDimensions = photoDimensions
        self.previewDimensions = previewDimensions
    }
}

/// One photo, with the simulated aperture rendered where cinematic capture is enabled.
open class AVCapturePhoto: _SendableObject, @unchecked Sendable {
    /// Time of the frame that it was taken from, on the session's clock; invalid where the capture failed.
    public let timestamp: CMTime
    /// Picture in the pixel format that was asked for; nil for a JPEG photo, and where the capture failed.
    public let pixelBuffer: CVPixelBuffer?
    /// Small picture beside the photo; nil unless it was asked for.
    public let previewPixelBuffer: CVPixelBuffer?
    /// Outcome of the settings that asked for the photo.
    public let resolvedSettings: AVCaptureResolvedPhotoSettings
    /// Depth map of the frame; nil unless the settings asked for it. Its pixels are as the camera saw them, and the file has none.
    public let depthData: AVDepthData?
    /// Index of the photo in its capture, from 1.
    public let photoCount: Int
    /// Index of the photo in its bracket, from 1; 0 for a single one.
    public let sequenceCount: Int
    /// Step of the bracket that the photo was exposed for; nil for a single one.
    public let bracketSettings: AVCaptureBracketedStillImageSettings?
    /// State of the lens' stabilization in a bracket: `.unsupported`.
    public let lensStabilizationStatus = LensStabilizationStatus.unsupported
    /// Whether the photo is raw data of the sensor; never here.
    public let isRawPhoto = false
    /// Matte of the people in front: nil, as there is none.
    public let portraitEffectsMatte: AVPortraitEffectsMatte? = nil
    /// Calibration of the camera: nil; that of `depthData` is there.
    public let cameraCalibrationData: AVCameraCalibrationData? = nil
    /// Format of the small picture within the file: nil, as there is none.
    public let embeddedThumbnailPhotoFormat: [String: Any]? = nil
    /// Camera that took the photo, where a virtual one delivers those of its cameras; nil, as none does.
    public let sourceDeviceType: AVCaptureDevice.DeviceType? = nil
    /// Trust in the constant colour of each place: nil, as no output supports it.
    public let constantColorConfidenceMap: CVPixelBuffer? = nil
    /// Trust in the constant colour about the middle, 0 to 1: 0, as no output supports it.
    public let constantColorCenterWeightedMeanConfidenceLevel: Float = 0
    /// Whether it came beside one with constant colours; never here.
    public let isConstantColorFallbackPhoto = false
    let source: Source?

    /// State of the lens' stabilization in a bracket.
    public enum LensStabilizationStatus: Int, Sendable {
        /// The camera has none.
        case unsupported = 0
        /// It was not asked for.
        case off = 1
        /// The lens held still.
        case active = 2
        /// The camera moved too much.
        case outOfRange = 3
        /// It was busy.
        case unavailable = 4
    }

    /// Content of the photo's file.
    struct Source: @unchecked Sendable {
        let picture: CVPixelBuffer
        let description: PhotoDescription
        /// Properties that the settings add.
        let additions: [String: Any]
        let environment: CaptureEnvironment
    }

    init(
        timestamp: CMTime, pixelBuffer: CVPixelBuffer?, previewPixelBuffer: CVPixelBuffer?, resolvedSettings: AVCaptureResolvedPhotoSettings,
        depthData: AVDepthData? = nil, step: (index: Int, settings: AVCaptureBracketedStillImageSettings)? = nil, source: Source?
    ) {
        self.timestamp = timestamp
        self.pixelBuffer = pixelBuffer
        self.previewPixelBuffer = previewPixelBuffer
        self.resolvedSettings = resolvedSettings
        self.depthData = depthData
        photoCount = (step?.index ?? 0) + 1
        sequenceCount = step.map { $0.index + 1 } ?? 0
        bracketSettings = step?.settings
        self.source = source
    }

    /// Makes a file of the photo: JPEG, or PNG for one that was asked for in a pixel format.
    ///
    /// Nil where the capture failed, the environment makes no files, or its encoder throws, which is reported as a diagnostic.
    open func fileDataRepresentation() -> Data? { file(with: metadata) }

    /// Makes a file of the photo with the properties that the customizer gives in place of the photo's; nil as `fileDataRepresentation()`.
    open func fileDataRepresentation(with customizer: any AVCapturePhotoFileDataRepresentationCustomizer) -> Data? {
        file(with: customizer.replacementMetadata(for: self) ?? [:])
    }

    private func file(with properties: [String: Any]) -> Data? {
        guard let source, let encode = source.environment.encodePhoto else { return nil }
        var description = source.description
        description.replacement = PhotoDescription.exif(properties)
        do {
            return try encode(source.picture, description)
        } catch {
            source.environment.diagnose("the photo's file could not be made: \(error)")
            return nil
        }
    }

    /// Matte of a part of people: nil, as there is none.
    open func semanticSegmentationMatte(for semanticSegmentationMatteType: AVSemanticSegmentationMatte.MatteType) -> AVSemanticSegmentationMatte? {
        nil
    }

    /// Properties of the photo under ImageIO's keys, exposure time in seconds and focal length in mm, with those of its settings; empty where the capture
    /// failed.
    open var metadata: [String: Any] {
        guard let source else { return [:] }
        let size = resolvedSettings.photoDimensions
        return source.description.properties(width: Int(size.width), height: Int(size.height)).merging(source.additions) { own, added in
            guard let own = own as? [String: Any], let added = added as? [String: Any] else { return added }
            return own.merging(added) { $1 }
        }.bridged
    }
}

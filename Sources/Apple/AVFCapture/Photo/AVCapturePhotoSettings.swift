import CoreMedia
import CoreVideo
import Foundation
import Synchronization

/// Wishes for one photo; good for one capture, since their number is used up then.
///
/// As on Apple's systems access is not synchronized: a capture reads the wishes once, when it is asked for.
open class AVCapturePhotoSettings: _SendableObject, @unchecked Sendable {
    /// Number of the settings, unique in the process; from 1.
    public let uniqueID: Int64
    /// Pixel format by `kCVPixelBufferPixelFormatTypeKey`, or codec by `AVVideoCodecKey`; nil for JPEG.
    public let format: [String: Any]?
    /// Raw pixel format that was asked for; 0 for none. No camera here has one, so that a capture raises.
    public let rawPhotoPixelFormatType: OSType
    private static let lastID = Mutex<Int64>(0)

    /// Use of the flash; default `.off`. A capture raises for one that is not in `supportedFlashModes`.
    open var flashMode = AVCaptureDevice.FlashMode.off
    /// Weight of quality against speed; default `.balanced`, not above the output's `maxPhotoQualityPrioritization`.
    open var photoQualityPrioritization = AVCapturePhotoOutput.QualityPrioritization.balanced
    /// Greatest size of the photo in pixels; 0 × 0 (default) leaves it to the output.
    open var maxPhotoDimensions = CMVideoDimensions()
    /// Whether the photo may be larger than the stream; default false, allowed only where the output has it enabled.
    open var isHighResolutionPhotoEnabled = false
    /// Whether the photo brings `depthData`; default false, allowed only where the output has depth delivery enabled.
    open var isDepthDataDeliveryEnabled = false
    /// Whether the photo's file holds its depth; default true, without effect: no file has depth.
    open var embedsDepthDataInPhoto = true
    /// Wish for a small picture beside the photo: its pixel format, and the width and height in pixels to fit into. Nil for none.
    open var previewPhotoFormat: [String: Any]?
    /// Wish for a small picture within the file; default nil, kept without effect.
    open var embeddedThumbnailPhotoFormat: [String: Any]?
    /// Properties to add to those of the photo and its file, such as the place, under ImageIO's keys; default empty.
    open var metadata: [String: Any] = [:]
    /// File of a Live Photo's movie; default nil. A capture raises for one where the output has Live Photos not enabled.
    open var livePhotoMovieFileURL: URL?
    /// Codec of a Live Photo's movie; an empty one, the default, is the first that the output lists.
    open var livePhotoVideoCodecType = AVVideoCodecType(rawValue: "")
    /// Whether pictures of several cameras may be combined; default false, kept without effect.
    open var isAutoVirtualDeviceFusionEnabled = false
    /// Whether pictures of a dual camera's may be combined. Superseded by `isAutoVirtualDeviceFusionEnabled`.
    @available(*, deprecated, renamed: "isAutoVirtualDeviceFusionEnabled")
    open var isAutoDualCameraFusionEnabled: Bool {
        get { isAutoVirtualDeviceFusionEnabled }
        set { isAutoVirtualDeviceFusionEnabled = newValue }
    }
    /// Whether both cameras of a dual one bring a photo; never. Superseded by `virtualDeviceConstituentPhotoDeliveryEnabledDevices`.
    @available(*, deprecated, renamed: "virtualDeviceConstituentPhotoDeliveryEnabledDevices")
    open var isDualCameraDualPhotoDeliveryEnabled: Bool {
        get { false }
        set {}
    }
    /// Whether red eyes may be mended; default false, kept without effect.
    open var isAutoRedEyeReductionEnabled = false
    /// Whether distortion about faces may be corrected; default false, kept without effect.
    open var isAutoContentAwareDistortionCorrectionEnabled = false
    /// Whether the shutter is silent; default false, kept without effect, as there is no sound.
    open var isShutterSoundSuppressionEnabled = false
    /// Whether holes of the photo's depth are filled; default true, without effect: maps here have none.
    open var isDepthDataFiltered = true
    /// Whether a matte of people is within the file; default true, without effect: there is none.
    open var embedsPortraitEffectsMatteInPhoto = true
    /// Whether other mattes are within the file; default true, without effect: there are none.
    open var embedsSemanticSegmentationMattesInPhoto = true
    /// Metadata of a Live Photo's movie; default empty, kept without effect.
    open var livePhotoMovieMetadata: [AVMetadataItem] = []
    /// Whether colours are made to look alike under any light; default false, kept without effect, as no output supports it.
    open var isConstantColorEnabled = false
    /// Whether a photo without constant colours comes beside one with them; default false, kept without effect.
    open var isConstantColorFallbackPhotoDeliveryEnabled = false
    /// Wish for a small picture within a raw photo's file; default nil, kept without effect.
    open var rawEmbeddedThumbnailPhotoFormat: [String: Any]?

    /// Whether the photo brings a matte of people; default false. A capture raises for true, as no output has it enabled.
    open var isPortraitEffectsMatteDeliveryEnabled = false
    /// Whether the photo brings the calibration of its camera; default false. A capture raises for true, as no output supports it.
    open var isCameraCalibrationDataDeliveryEnabled = false
    /// Mattes that the photo brings; default empty. A capture raises for others, as no output has them enabled.
    open var enabledSemanticSegmentationMatteTypes: [AVSemanticSegmentationMatte.MatteType] = []
    /// Cameras of a virtual one that each bring a photo; default empty. A capture raises for others, as no output has them enabled.
    open var virtualDeviceConstituentPhotoDeliveryEnabledDevices: [AVCaptureDevice] = []
    /// Whether several pictures may be merged against shake; default false, kept without effect. Superseded by `photoQualityPrioritization`.
    @available(*, deprecated, renamed: "photoQualityPrioritization")
    open var isAutoStillImageStabilizationEnabled: Bool {
        get { mayStabilize }
        set { mayStabilize = newValue }
    }
    private var mayStabilize = false

    init(_ format: [String: Any]?, raw: OSType = 0) {
        self.format = format?.bridged
        rawPhotoPixelFormatType = raw
        uniqueID = Self.lastID.withLock { last in
            last += 1
            return last
        }
    }

    /// Makes wishes for a JPEG file, or for a `420v` buffer where the environment makes no files.
    public convenience override init() { self.init(nil) }
    /// Makes wishes for a pixel format or a codec; checked by the capture.
    public convenience init(format: [String: Any]?) { self.init(format) }
    /// Makes wishes for a raw photo; a capture raises, as no camera here has a raw format.
    public convenience init(rawPixelFormatType: OSType) { self.init(nil, raw: rawPixelFormatType) }
    /// Makes wishes for a raw photo and a processed one; a capture raises, as no camera here has a raw format.
    public convenience init(rawPixelFormatType: OSType, processedFormat: [String: Any]?) { self.init(processedFormat, raw: rawPixelFormatType) }

    /// Makes wishes for files of the kinds given: a JPEG of `processedFormat` without a raw format, else a capture raises.
    public convenience init(
        rawPixelFormatType: OSType, rawFileType: AVFileType?, processedFormat: [String: Any]?, processedFileType: AVFileType?
    ) { self.init(processedFormat, raw: rawPixelFormatType) }

    /// Makes a copy of the wishes under a number of its own.
    public convenience init(from photoSettings: AVCapturePhotoSettings) {
        self.init(photoSettings.format, raw: photoSettings.rawPhotoPixelFormatType)
        copy(\.flashMode, of: photoSettings)
        copy(\.photoQualityPrioritization, of: photoSettings)
        copy(\.maxPhotoDimensions, of: photoSettings)
        copy(\.isHighResolutionPhotoEnabled, of: photoSettings)
        copy(\.isDepthDataDeliveryEnabled, of: photoSettings)
        copy(\.embedsDepthDataInPhoto, of: photoSettings)
        copy(\.previewPhotoFormat, of: photoSettings)
        copy(\.embeddedThumbnailPhotoFormat, of: photoSettings)
        copy(\.metadata, of: photoSettings)
        copy(\.livePhotoMovieFileURL, of: photoSettings)
        copy(\.livePhotoVideoCodecType, of: photoSettings)
        copy(\.isAutoVirtualDeviceFusionEnabled, of: photoSettings)
        copy(\.isAutoRedEyeReductionEnabled, of: photoSettings)
        copy(\.isAutoContentAwareDistortionCorrectionEnabled, of: photoSettings)
        copy(\.isShutterSoundSuppressionEnabled, of: photoSettings)
        copy(\.isDepthDataFiltered, of: photoSettings)
        copy(\.embedsPortraitEffectsMatteInPhoto, of: photoSettings)
        copy(\.embedsSemanticSegmentationMattesInPhoto, of: photoSettings)
        copy(\.livePhotoMovieMetadata, of: photoSettings)
        copy(\.isConstantColorEnabled, of: photoSettings)
        copy(\.isConstantColorFallbackPhotoDeliveryEnabled, of: photoSettings)
        copy(\.rawEmbeddedThumbnailPhotoFormat, of: photoSettings)
        copy(\.isPortraitEffectsMatteDeliveryEnabled, of: photoSettings)
        copy(\.isCameraCalibrationDataDeliveryEnabled, of: photoSettings)
        copy(\.enabledSemanticSegmentationMatteTypes, of: photoSettings)
        copy(\.virtualDeviceConstituentPhotoDeliveryEnabledDevices, of: photoSettings)
        copy(\.mayStabilize, of: photoSettings)
    }

    private func copy<Value>(_ wish: ReferenceWritableKeyPath<AVCapturePhotoSettings, Value>, of other: AVCapturePhotoSettings) {
        self[keyPath: wish] = other[keyPath: wish]
    }
}

extension AVCapturePhotoSettings {
    /// Codecs of a small picture within the file: none.
    public var availableEmbeddedThumbnailPhotoCodecTypes: [AVVideoCodecType] { [] }

    /// Codecs of a small picture within a raw photo's file: none.
    public var availableRawEmbeddedThumbnailPhotoCodecTypes: [AVVideoCodecType] { [] }
    /// Kind of the processed photo's file: JPEG for a codec, nil for a pixel format.
    public var processedFileType: AVFileType? { format == nil || codec != nil ? .jpg : nil }
    /// Kind of the raw photo's file: nil, as no camera here has a raw format.
    public var rawFileType: AVFileType? { nil }

    /// Pixel formats that a preview can have, as numbers: the name under which Swift shows Objective-C's property.
    public var __availablePreviewPhotoPixelFormatTypes: [NSNumber] { availablePreviewPhotoPixelFormatTypes.map { NSNumber(value: $0) } }

    /// Pixel formats that a preview can have, the default first.
    public var availablePreviewPhotoPixelFormatTypes: [OSType] {
        [
            kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_32BGRA,
        ]
    }

    /// Wish that no output here can fulfil; nil where there is none.
    var missingFeature: String? {
        if isPortraitEffectsMatteDeliveryEnabled { return "portraitEffectsMatteDeliveryEnabled" }
        if isCameraCalibrationDataDeliveryEnabled { return "cameraCalibrationDataDeliveryEnabled" }
        if !enabledSemanticSegmentationMatteTypes.isEmpty { return "enabledSemanticSegmentationMatteTypes" }
        return virtualDeviceConstituentPhotoDeliveryEnabledDevices.isEmpty ? nil : "virtualDeviceConstituentPhotoDeliveryEnabledDevices"
    }

    var codec: AVVideoCodecType? {
        (format?[AVVideoCodecKey] as? AVVideoCodecType) ?? (format?[AVVideoCodecKey] as? String).map(AVVideoCodecType.init(rawValue:))
    }

    /// Pixel format that was asked for; 0 for what is no number.
    var pixelFormat: OSType? {
        format?[kCVPixelBufferPixelFormatTypeKey as String].map { NumberSetting.pixelFormat($0) ?? 0 }
    }

    var preview: AVCapturePhotoOutput.Preview? {
        guard let wish = previewPhotoFormat else { return nil }
        func side(_ key: CFString) -> Int? { wish[key as String].map { NumberSetting.integer($0) ?? 0 } }
        let (width, height) = (side(kCVPixelBufferWidthKey), side(kCVPixelBufferHeightKey))
        let format = wish[kCVPixelBufferPixelFormatTypeKey as String].map { NumberSetting.pixelFormat($0) ?? 0 }
        return AVCapturePhotoOutput.Preview(
            pixelFormat: format ?? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
            bounds: width == nil && height == nil ? nil : PictureSize(width: width ?? .max, height: height ?? .max))
    }
}

extension AVCaptureDevice {
    /// Use of the flash.
    public enum FlashMode: Int, Sendable {
        /// The flash does not fire; the default.
        case off = 0
        /// The flash fires.
        case on = 1
        /// The flash fires in the dark.
        case auto = 2
    }
}

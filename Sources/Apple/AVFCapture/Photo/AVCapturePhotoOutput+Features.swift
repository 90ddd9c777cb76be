import CoreMedia
import CoreVideo
import Foundation
import Synchronization

/// Features of newer phones and sensors that no camera here has: unsupported, false, empty, and raising where they are asked for.
extension AVCapturePhotoOutput {
    /// Raises where a feature that is not supported is to be enabled.
    private func refuse(_ isWanted: Bool, _ setter: String, unless support: String) {
        guard isWanted else { return }
        environment.raise(.invalidArgument, "-[AVCapturePhotoOutput \(setter):]", "Not supported - use \(support)")
    }

    /// Whether a photo can show the moment of the call itself; never here: it is the next frame.
    public var isZeroShutterLagSupported: Bool { false }
    /// Whether a photo shows the moment of the call itself; false, raises where it is set to true.
    public var isZeroShutterLagEnabled: Bool {
        get { false }
        set { refuse(newValue, "setZeroShutterLagEnabled", unless: "isZeroShutterLagSupported") }
    }

    /// Whether captures can overlap; never here.
    public var isResponsiveCaptureSupported: Bool { false }
    /// Whether captures overlap; false, raises where it is set to true.
    public var isResponsiveCaptureEnabled: Bool {
        get { false }
        set { refuse(newValue, "setResponsiveCaptureEnabled", unless: "isResponsiveCaptureSupported") }
    }

    /// Whether quality can give way to fast captures; never here, where all photos are made alike.
    public var isFastCapturePrioritizationSupported: Bool { false }
    /// Whether quality gives way to fast captures; false, raises where it is set to true.
    public var isFastCapturePrioritizationEnabled: Bool {
        get { false }
        set { refuse(newValue, "setFastCapturePrioritizationEnabled", unless: "isFastCapturePrioritizationSupported") }
    }

    /// Whether a proxy can be delivered in place of a photo: where the environment has it so.
    public var isAutoDeferredPhotoDeliverySupported: Bool { !connections.isEmpty && environment.defersPhotos }
    /// Whether a proxy is delivered in place of each photo that is a file of higher quality than `.speed`, and of no bracket; default false, raises
    /// where it is set to true without support, and falls back where support goes.
    public var isAutoDeferredPhotoDeliveryEnabled: Bool {
        get { state.withLock { $0.defersDelivery } }
        set {
            guard isAutoDeferredPhotoDeliverySupported || !newValue else {
                return refuse(newValue, "setAutoDeferredPhotoDeliveryEnabled", unless: "isAutoDeferredPhotoDeliverySupported")
            }
            state.withLock { $0.defersDelivery = newValue }
        }
    }

    /// Takes note of a configuration that may have changed what is supported: a feature is off where its support went, also in the midst of a batch.
    func settleFeatures() {
        if isLivePhotoCaptureEnabled, !isLivePhotoCaptureSupported { isLivePhotoCaptureEnabled = false }
        if !isAutoDeferredPhotoDeliverySupported { isAutoDeferredPhotoDeliveryEnabled = false }
        settleDepth()
    }

    /// Whether a proxy is delivered in place of the photo that settings ask for.
    func defersDelivery(of settings: AVCapturePhotoSettings) -> Bool {
        isAutoDeferredPhotoDeliveryEnabled && pixelFormat(of: settings) == nil && settings.photoQualityPrioritization != .speed
            && !(settings is AVCapturePhotoBracketSettings)
    }

    /// Whether ProRAW photos can be taken; never here.
    public var isAppleProRAWSupported: Bool { false }
    /// Whether ProRAW photos can be asked for; false, raises where it is set to true.
    public var isAppleProRAWEnabled: Bool {
        get { false }
        set { refuse(newValue, "setAppleProRAWEnabled", unless: "isAppleProRAWSupported") }
    }
    /// Whether a pixel format is that of ProRAW photos: 16-bit little-endian RGBA.
    public class func isAppleProRAWPixelFormat(_ pixelFormat: OSType) -> Bool { pixelFormat == kCVPixelFormatType_64RGBALE }
    /// Whether a pixel format is that of a sensor's mosaic: 14 bits in four orders, or the versatile one of 16 bits.
    public class func isBayerRAWPixelFormat(_ pixelFormat: OSType) -> Bool {
        [
            kCVPixelFormatType_14Bayer_GRBG, kCVPixelFormatType_14Bayer_RGGB, kCVPixelFormatType_14Bayer_BGGR, kCVPixelFormatType_14Bayer_GBRG,
            kCVPixelFormatType_16VersatileBayer,
        ].contains(pixelFormat)
    }

    /// Whether distortion can be corrected about faces; never here, where lenses have none.
    public var isContentAwareDistortionCorrectionSupported: Bool { false }
    /// Whether distortion is corrected about faces; false, raises where it is set to true.
    public var isContentAwareDistortionCorrectionEnabled: Bool {
        get { false }
        set { refuse(newValue, "setContentAwareDistortionCorrectionEnabled", unless: "isContentAwareDistortionCorrectionSupported") }
    }

    /// Whether every camera of a virtual one can bring a photo; never here.
    public var isVirtualDeviceConstituentPhotoDeliverySupported: Bool { false }
    /// Whether every camera of a virtual one brings a photo; false, raises where it is set to true.
    public var isVirtualDeviceConstituentPhotoDeliveryEnabled: Bool {
        get { false }
        set { refuse(newValue, "setVirtualDeviceConstituentPhotoDeliveryEnabled", unless: "isVirtualDeviceConstituentPhotoDeliverySupported") }
    }

    /// Whether a matte of people can come beside a photo; never here.
    public var isPortraitEffectsMatteDeliverySupported: Bool { false }
    /// Whether a matte of people can be asked for; false, raises where it is set to true.
    public var isPortraitEffectsMatteDeliveryEnabled: Bool {
        get { false }
        set { refuse(newValue, "setPortraitEffectsMatteDeliveryEnabled", unless: "isPortraitEffectsMatteDeliverySupported") }
    }

    /// Mattes of hair, skin, teeth or glasses that can come beside a photo: none.
    public var availableSemanticSegmentationMatteTypes: [AVSemanticSegmentationMatte.MatteType] { [] }
    /// Mattes that settings may ask for; empty, raises for others.
    public var enabledSemanticSegmentationMatteTypes: [AVSemanticSegmentationMatte.MatteType] {
        get { [] }
        set { refuse(!newValue.isEmpty, "setEnabledSemanticSegmentationMatteTypes", unless: "availableSemanticSegmentationMatteTypes") }
    }

    /// Whether a photo can bring the calibration of its camera; never here, where `depthData` does.
    public var isCameraCalibrationDataDeliverySupported: Bool { false }
    /// Whether photos can be turned as the sensor was held; never here.
    public var isCameraSensorOrientationCompensationSupported: Bool { false }
    /// Whether photos are turned as the sensor was held; false, raises where it is set to true.
    public var isCameraSensorOrientationCompensationEnabled: Bool {
        get { false }
        set { refuse(newValue, "setCameraSensorOrientationCompensationEnabled", unless: "isCameraSensorOrientationCompensationSupported") }
    }
    /// Whether pictures of several cameras can be combined; never here.
    public var isVirtualDeviceFusionSupported: Bool { false }
    /// Whether pictures of a dual camera's can be combined; never here. Superseded by `isVirtualDeviceFusionSupported`.
    @available(*, deprecated, renamed: "isVirtualDeviceFusionSupported")
    public var isDualCameraFusionSupported: Bool { false }
    /// Whether the scene wants several pictures merged against shake; never here.
    @available(*, deprecated)
    public var isStillImageStabilizationScene: Bool { false }
    /// Whether red eyes can be mended; never here.
    public var isAutoRedEyeReductionSupported: Bool { false }
    /// Whether several pictures can be merged against shake; never here. Superseded by `maxPhotoQualityPrioritization`.
    @available(*, deprecated, renamed: "maxPhotoQualityPrioritization")
    public var isStillImageStabilizationSupported: Bool { false }
    /// Whether both cameras of a dual one can bring a photo; never here. Superseded by `isVirtualDeviceConstituentPhotoDeliverySupported`.
    @available(*, deprecated, renamed: "isVirtualDeviceConstituentPhotoDeliverySupported")
    public var isDualCameraDualPhotoDeliverySupported: Bool { false }
    /// Whether both cameras of a dual one bring a photo; false, raises where it is set to true. Superseded as its support.
    @available(*, deprecated, renamed: "isVirtualDeviceConstituentPhotoDeliveryEnabled")
    public var isDualCameraDualPhotoDeliveryEnabled: Bool {
        get { false }
        set { refuse(newValue, "setDualCameraDualPhotoDeliveryEnabled", unless: "isDualCameraDualPhotoDeliverySupported") }
    }

    /// Settings whose flash the scene is watched for; kept without effect.
    public var photoSettingsForSceneMonitoring: AVCapturePhotoSettings? {
        get { state.withLock { $0.monitored } }
        set { state.withLock { $0.monitored = newValue } }
    }
    /// Whether the scene wants the flash of `photoSettingsForSceneMonitoring`; always false, as nobody watches it.
    public var isFlashScene: Bool { false }

    /// Whether photos can keep the colours of things in any light; never here.
    public var isConstantColorSupported: Bool { false }
    /// Whether photos keep the colours of things in any light; false, raises where it is set to true.
    public var isConstantColorEnabled: Bool {
        get { false }
        set { refuse(newValue, "setConstantColorEnabled", unless: "isConstantColorSupported") }
    }

    /// Whether the shutter's sound can be switched off; never here, where there is none.
    public var isShutterSoundSuppressionSupported: Bool { false }
    /// Whether the lens can be held still over a bracket; never here.
    public var isLensStabilizationDuringBracketedCaptureSupported: Bool { false }

    /// Whether settings may ask for a photo larger than the stream; default false. Superseded by `maxPhotoDimensions`, which decides here.
    public var isHighResolutionCaptureEnabled: Bool {
        get { state.withLock { $0.allowsHighResolution } }
        set { state.withLock { $0.allowsHighResolution = newValue } }
    }
}

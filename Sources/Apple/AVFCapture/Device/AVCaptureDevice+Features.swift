import CoreMedia
import Foundation
import Synchronization

/// System effects and sensors that no camera here has: unsupported, inactive, and raising where they are asked for.
extension AVCaptureDevice {
    /// Whether the camera can brighten dark pictures by merging them; never here.
    public var isLowLightBoostSupported: Bool { false }
    /// Whether dark pictures are brightened by merging them; never here.
    public var isLowLightBoostEnabled: Bool { false }
    /// Whether dark pictures are to be brightened by themselves; false, raises where it is set to true.
    public var automaticallyEnablesLowLightBoostWhenAvailable: Bool {
        get { false }
        set {
            guard newValue else { return }
            environment.raise(
                .invalidArgument, "-[AVCaptureDevice setAutomaticallyEnablesLowLightBoostWhenAvailable:]",
                "Not supported - use isLowLightBoostSupported")
        }
    }

    /// Whether the picture follows people; never here.
    public var isCenterStageActive: Bool { false }
    /// Side that switches Center Stage on.
    public enum CenterStageControlMode: Int, Sendable {
        /// The user alone, the default.
        case user = 0
        /// The app alone.
        case app = 1
        /// Both.
        case cooperative = 2
    }

    /// Side that switches Center Stage on; default the user. Kept, as no camera here has it.
    public class var centerStageControlMode: CenterStageControlMode {
        get { controlMode.withLock { $0 } }
        set { controlMode.withLock { $0 = newValue } }
    }
    private static let controlMode = Mutex(CenterStageControlMode.user)

    /// Whether Center Stage is switched on, which no camera here follows: false. Setting it to true raises while the user alone may.
    public class var isCenterStageEnabled: Bool {
        get { false }
        set {
            guard newValue, centerStageControlMode == .user else { return }
            CaptureEnvironment.current.raise(
                .invalidArgument, "+[AVCaptureDevice setCenterStageEnabled:]", "Not allowed while centerStageControlMode is User")
        }
    }
    /// Whether the background is blurred by the system's effect; never here.
    public var isPortraitEffectActive: Bool { false }
    /// Whether the user has the portrait effect switched on; never here.
    public class var isPortraitEffectEnabled: Bool { false }
    /// Whether faces are lit by the system's effect; never here.
    public var isStudioLightActive: Bool { false }
    /// Whether the user has Studio Light switched on; never here.
    public class var isStudioLightEnabled: Bool { false }
    /// Whether reactions can be shown; never here.
    public var canPerformReactionEffects: Bool { false }
    /// Whether the user has reactions switched on; never here.
    public class var reactionEffectsEnabled: Bool { false }
    /// Whether the user's gestures start reactions; never here.
    public class var reactionEffectGesturesEnabled: Bool { false }
    /// Reactions that can be shown: none.
    public var availableReactionTypes: Set<AVCaptureReactionType> { [] }
    /// Reactions that are being shown: none.
    public var reactionEffectsInProgress: [AVCaptureReactionEffectState] { [] }
    /// Shows a reaction; raises, as no camera here can.
    public func performEffect(for reactionType: AVCaptureReactionType) {
        environment.raise(.invalidArgument, "-[AVCaptureDevice performEffectForReaction:]", "Not supported - use canPerformReactionEffects")
    }
    /// Whether the background is replaced by the system's effect; never here.
    public var isBackgroundReplacementActive: Bool { false }
    /// Whether the user has the background replaced; never here.
    public class var isBackgroundReplacementEnabled: Bool { false }
    /// Whether distortion of a wide lens can be corrected; never here, where lenses have none.
    public var isGeometricDistortionCorrectionSupported: Bool { false }
    /// Whether distortion of a wide lens is corrected; false, raises where it is set to true.
    public var isGeometricDistortionCorrectionEnabled: Bool {
        get { false }
        set {
            guard newValue else { return }
            environment.raise(
                .invalidArgument, "-[AVCaptureDevice setGeometricDistortionCorrectionEnabled:]",
                "Not supported - use isGeometricDistortionCorrectionSupported")
        }
    }
    /// Whether tones are mapped alike all over the picture; false, raises where it is set to true.
    public var isGlobalToneMappingEnabled: Bool {
        get { false }
        set {
            guard newValue else { return }
            environment.raise(
                .invalidArgument, "-[AVCaptureDevice setGlobalToneMappingEnabled:]", "Not supported - use isGlobalToneMappingSupported")
        }
    }
    /// Whether the device is a phone that serves another one; never here.
    public var isContinuityCamera: Bool { false }
    /// Camera of the desk below this one: nil, as there is none.
    public var companionDeskViewCamera: AVCaptureDevice? { nil }
    /// Reasons for which spatial video would look uneasy: none, as no camera here films it.
    public var spatialCaptureDiscomfortReasons: Set<AVSpatialCaptureDiscomfortReason> { [] }
}

/// Reaction that the system shows in the picture.
public struct AVCaptureReactionType: RawRepresentable, Hashable, Sendable {
    /// Name of the reaction, as Apple spells it.
    public let rawValue: String
    /// Makes a reaction from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Thumb that points up.
    public static let thumbsUp = Self(rawValue: "ThumbsUp")
    /// Thumb that points down.
    public static let thumbsDown = Self(rawValue: "ThumbsDown")
    /// Balloons.
    public static let balloons = Self(rawValue: "Balloons")
    /// Hearts.
    public static let heart = Self(rawValue: "Heart")
    /// Fireworks.
    public static let fireworks = Self(rawValue: "Fireworks")
    /// Rain.
    public static let rain = Self(rawValue: "Rain")
    /// Confetti.
    public static let confetti = Self(rawValue: "Confetti")
    /// Beams of lasers.
    public static let lasers = Self(rawValue: "Lasers")
}

/// Reaction that is being shown; there is never one.
public final class AVCaptureReactionEffectState: NSObject, Sendable {
    /// Reaction that is shown.
    public let reactionType: AVCaptureReactionType
    /// Time of its first frame.
    public let startTime: CMTime
    /// Time of its last frame; invalid while it goes on.
    public let endTime: CMTime

    private init(_ reactionType: AVCaptureReactionType) { (self.reactionType, startTime, endTime) = (reactionType, .invalid, .invalid) }
}

/// Reason for which spatial video would look uneasy.
public struct AVSpatialCaptureDiscomfortReason: RawRepresentable, Hashable, Sendable {
    /// Name of the reason, as Apple spells it.
    public let rawValue: String
    /// Makes a reason from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// There is not enough light.
    public static let notEnoughLight = Self(rawValue: "AVSpatialCaptureDiscomfortReasonNotEnoughLight")
    /// The subject is too near.
    public static let subjectTooClose = Self(rawValue: "AVSpatialCaptureDiscomfortReasonSubjectTooClose")
}

extension AVCaptureDevice.Format {
    /// Whether the picture can follow people; never here.
    public var isCenterStageSupported: Bool { false }
    /// Whether the system can blur the background; never here.
    public var isPortraitEffectSupported: Bool { false }
    /// Whether the system can light faces; never here.
    public var isStudioLightSupported: Bool { false }
    /// Whether reactions can be shown; never here.
    public var reactionEffectsSupported: Bool { false }
    /// Whether tones can be mapped alike all over the picture; never here.
    public var isGlobalToneMappingSupported: Bool { false }
    /// Whether the system can replace the background; never here.
    public var isBackgroundReplacementSupported: Bool { false }
    /// Whether spatial video can be filmed; never here.
    public var isSpatialVideoCaptureSupported: Bool { false }
    /// Whether metadata for focusing again can be recorded; never here.
    public var isCinematicVideoMetadataCaptureSupported: Bool { false }
    /// Zooms at which pixels of the sensor are pixels of the picture, besides 1; none here.
    public var secondaryNativeResolutionZoomFactors: [CGFloat] { [] }
    /// Whether photos of the greatest quality can be taken: in formats of 4 to 3, those of the preset for photos.
    public var isHighestPhotoQualitySupported: Bool {
        let size = formatDescription.dimensions
        return mediaType == .video && size.width * 3 == size.height * 4
    }
    /// Whether photos of high quality can be taken: as of the greatest.
    public var isHighPhotoQualitySupported: Bool { isHighestPhotoQualitySupported }
    /// Zooms at which depth is delivered, ends of `supportedVideoZoomRangesForDepthDataDelivery`. Superseded by those.
    @available(*, deprecated, renamed: "supportedVideoZoomRangesForDepthDataDelivery")
    public var supportedVideoZoomFactorsForDepthDataDelivery: [CGFloat] {
        supportedVideoZoomRangesForDepthDataDelivery.flatMap { [$0.lowerBound, $0.upperBound] }
    }
    /// Frame rates while the picture follows people: nil, as it never does.
    public var videoFrameRateRangeForCenterStage: AVFrameRateRange? { nil }
    /// Least zoom while the picture follows people: 1.
    public var videoMinZoomFactorForCenterStage: CGFloat { 1 }
    /// Greatest zoom while the picture follows people: 1.
    public var videoMaxZoomFactorForCenterStage: CGFloat { 1 }
    /// Field of view with distortion corrected, in degrees: that without, as lenses have none.
    public var geometricDistortionCorrectedVideoFieldOfView: Float { videoFieldOfView }
    /// Zoom that the system suggests for a slider: nil, it suggests none.
    public var systemRecommendedVideoZoomRange: ClosedRange<CGFloat>? { nil }
    /// Bias of exposure that the system suggests for a slider, in EV: nil, it suggests none.
    public var systemRecommendedExposureBiasRange: ClosedRange<Float>? { nil }
    /// Zooms at which depth is delivered: all.
    public var supportedVideoZoomRangesForDepthDataDelivery: [ClosedRange<CGFloat>] {
        supportedDepthDataFormats.isEmpty ? [] : [1...videoMaxZoomFactor]
    }
}

extension AVCaptureDevice.DeviceType {
    /// Phone that serves another device as its camera; no profile here has one.
    public static let continuityCamera = Self(rawValue: "AVCaptureDeviceTypeContinuityCamera")
    /// View of the desk below a camera; no profile here has one.
    public static let deskViewCamera = Self(rawValue: "AVCaptureDeviceTypeDeskViewCamera")
    /// Camera outside of the phone, by its older name: equal to `.external`.
    public static let externalUnknown = external
    /// Device of sound, by its older name: equal to `.microphone`.
    public static let builtInMicrophone = microphone
}

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
    /// Whether distortion of a wide lens can be corrected; never here, where lenses have none.
    public var isGeometricDistortionCorrectionSupported: Bool { false }
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
}

extension AVCaptureDevice.DeviceType {
    /// Phone that serves another device as its camera; no profile here has one.
    public static let continuityCamera = Self(rawValue: "AVCaptureDeviceTypeContinuityCamera")
    /// View of the desk below a camera; no profile here has one.
    public static let deskViewCamera = Self(rawValue: "AVCaptureDeviceTypeDeskViewCamera")
    /// Device of sound, by its older name: equal to `.microphone`.
    public static let builtInMicrophone = microphone
}

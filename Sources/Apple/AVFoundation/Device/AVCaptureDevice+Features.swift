import Foundation

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
    /// Whether the user has Center Stage switched on; never here.
    public class var isCenterStageEnabled: Bool { false }
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

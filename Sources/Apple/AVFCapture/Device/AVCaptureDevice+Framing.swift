import CoreMedia
import Foundation

/// Shapes of the picture, suggested framings, dirt on the lens and edge light, as of iOS 26: unsupported, inactive, and raising where they are asked for.
extension AVCaptureDevice {
    /// Shape of the picture that a square sensor can be read in.
    public struct AspectRatio: RawRepresentable, Hashable, Sendable {
        /// Name of the shape, as Apple spells it.
        public let rawValue: String
        /// Makes a shape from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// A square.
        public static let ratio1x1 = Self(rawValue: "AVCaptureAspectRatio1x1")
        /// 16 to 9, lying.
        public static let ratio16x9 = Self(rawValue: "AVCaptureAspectRatio16x9")
        /// 9 to 16, standing.
        public static let ratio9x16 = Self(rawValue: "AVCaptureAspectRatio9x16")
        /// 4 to 3, lying.
        public static let ratio4x3 = Self(rawValue: "AVCaptureAspectRatio4x3")
        /// 3 to 4, standing.
        public static let ratio3x4 = Self(rawValue: "AVCaptureAspectRatio3x4")
    }

    /// Shape that the format is read in; nil, as no format here has a choice.
    public var dynamicAspectRatio: AspectRatio? { nil }
    /// Reads the format in another shape; raises, as no format here has a choice, and does not call the handler.
    public func setDynamicAspectRatio(_ dynamicAspectRatio: AspectRatio, completionHandler handler: ((CMTime, (any Error)?) -> Void)? = nil) {
        environment.raise(
            .invalidArgument, "-[AVCaptureDevice setDynamicAspectRatio:completionHandler:]",
            "Not supported - use activeFormat.supportedDynamicAspectRatios")
    }
    /// Monitor of suggested framings; nil, as no camera here suggests any.
    public var smartFramingMonitor: AVCaptureSmartFramingMonitor? { nil }

    /// Full-frame-equivalent focal length in mm at zoom 1; 0 for a microphone.
    public var nominalFocalLengthIn35mmFilm: Float { Float(profile.focalLength) }

    /// Whether the lens is looked at for dirt; never here.
    public var isCameraLensSmudgeDetectionEnabled: Bool { false }
    /// Time between looks for dirt: invalid, as there are none.
    public var cameraLensSmudgeDetectionInterval: CMTime { .invalid }
    /// Dirt on the lens: nobody looks for it.
    public var cameraLensSmudgeDetectionStatus: AVCaptureCameraLensSmudgeDetectionStatus { .disabled }
    /// Looks for dirt at an interval, or no more; raises where it is to begin, as no camera here can.
    public func setCameraLensSmudgeDetectionEnabled(_ cameraLensSmudgeDetectionEnabled: Bool, detectionInterval: CMTime) {
        guard cameraLensSmudgeDetectionEnabled else { return }
        environment.raise(
            .invalidArgument, "-[AVCaptureDevice setCameraLensSmudgeDetectionEnabled:detectionInterval:]",
            "Not supported - use activeFormat.isCameraLensSmudgeDetectionSupported")
    }

    /// Whether the screen lights the face; never here.
    public var isEdgeLightActive: Bool { false }
    /// Whether the user has the light of the screen switched on; never here.
    public class var isEdgeLightEnabled: Bool { false }
}

/// Dirt on a lens.
public enum AVCaptureCameraLensSmudgeDetectionStatus: Int, Sendable {
    /// Nobody looks for it.
    case disabled = 0
    /// There is none.
    case smudgeNotDetected = 1
    /// There is some.
    case smudged = 2
    /// It was not looked for yet.
    case unknown = 3
}

/// Shape and zoom of a picture.
open class AVCaptureFraming: NSObject, @unchecked Sendable {
    /// Shape of the picture.
    public let aspectRatio: AVCaptureDevice.AspectRatio
    /// Zoom of the picture.
    public let zoomFactor: Float

    /// Makes a framing.
    public init(aspectRatio: AVCaptureDevice.AspectRatio, zoomFactor: Float) { (self.aspectRatio, self.zoomFactor) = (aspectRatio, zoomFactor) }

    /// Whether shape and zoom are equal.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVCaptureFraming else { return false }
        return aspectRatio == other.aspectRatio && zoomFactor == other.zoomFactor
    }
    /// Hash of the shape.
    open override var hash: Int { aspectRatio.hashValue }
}

/// Monitor of the framing that a camera suggests; no camera here has one.
public final class AVCaptureSmartFramingMonitor: NSObject, _KeyValueObservable, Sendable {
    /// Observers of the object.
    public let _observers = _KeyValueObservers()

    private override init() {}

    /// Framings that can be suggested: none.
    public var supportedFramings: [AVCaptureFraming] { [] }
    /// Framings that may be suggested: none, whatever is set.
    public var enabledFramings: [AVCaptureFraming] {
        get { [] }
        set {}
    }
    /// Framing that is suggested: nil.
    public var recommendedFraming: AVCaptureFraming? { nil }
    /// Whether it suggests: never.
    public var isMonitoring: Bool { false }
    /// Begins to suggest; throws, as it cannot.
    public func startMonitoring() throws { throw AVError(.operationNotAllowed, reason: "no camera here suggests framings") }
    /// Suggests no more.
    public func stopMonitoring() {}
}

extension AVCaptureDevice.Format {
    /// Shapes that the format can be read in: none but its own.
    public var supportedDynamicAspectRatios: [AVCaptureDevice.AspectRatio] { [] }
    /// Whether framings can be suggested; never here.
    public var isSmartFramingSupported: Bool { false }
    /// Whether dirt on the lens can be found; never here.
    public var isCameraLensSmudgeDetectionSupported: Bool { false }
    /// Whether the screen can light faces; never here.
    public var isEdgeLightSupported: Bool { false }
}

/// Modes of the microphone, and the system's panels.
extension AVCaptureDevice {
    /// Processing of the microphone's sound.
    public enum MicrophoneMode: Int, Sendable {
        /// As usual.
        case standard = 0
        /// All sound about the phone.
        case wideSpectrum = 1
        /// The voice of the user alone.
        case voiceIsolation = 2
    }

    /// Mode that the user prefers: the usual one, as nobody chooses here.
    public class var preferredMicrophoneMode: MicrophoneMode { .standard }
    /// Mode of the microphone: the usual one, the only one here.
    public class var activeMicrophoneMode: MicrophoneMode { .standard }

    /// Panel of the system.
    public enum SystemUserInterface: Int, Sendable {
        /// Effects in pictures.
        case videoEffects = 1
        /// Modes of the microphone.
        case microphoneModes = 2
    }

    /// Shows a panel of the system; says that there is none.
    public class func showSystemUserInterface(_ systemUserInterface: SystemUserInterface) {
        CaptureEnvironment.current.diagnose("showSystemUserInterface(.\(systemUserInterface)): there is no panel to show")
    }
}

import Foundation
import Pipeline

/// Call of the camera's focus API, as an app makes it.
public struct APICall: Sendable, Equatable {
    /// Function called, with its target.
    public enum Kind: Sendable, Equatable {
        /// Tracking focus on the object of a subject that was reported last, even if that is long ago.
        case trackSubject(String)
        case trackObject(Int)
        /// Tracking focus at a point, 0…1 of the unrotated picture; may lie outside.
        case trackPoint(CGPoint)
        case fixPoint(CGPoint)
    }

    /// Function called.
    public var kind: Kind
    /// Focus mode asked for.
    public var mode: FocusMode
}

/// Call that breaks Apple's contract and must be refused.
public enum RaisingCall: Sendable, Equatable {
    /// A simulated f-number, in range or not.
    case aperture(Double)
    case zoom(Double)
    /// A focus call; without the device's lock when `isLocked` is false.
    case api(APICall, isLocked: Bool)
    /// `commitConfiguration` without a `beginConfiguration`.
    case commit
}

/// Call of an app to its session, outputs and camera besides focusing.
public enum CameraCall: Sendable, Equatable {
    /// Step of a recording.
    public enum Recording: String, Sendable, CaseIterable { case start, stop, pause, resume }
    /// Step of the session's life or of its configuration.
    public enum Session: String, Sendable, CaseIterable { case start, stop, begin, commit }
    /// Stabilization mode, as in `AVCaptureVideoStabilizationMode`.
    public enum Stabilization: String, Sendable, CaseIterable {
        case off, standard, cinematic, cinematicExtended, cinematicExtendedEnhanced, auto
    }

    case record(Recording)
    case photo
    case session(Session)
    case zoom(Double)
    case stabilization(Stabilization)
    case switchCamera(ScenarioFile.Device.Camera)
}

/// Reason for which the system takes the camera away, by the scenario's words.
public enum Interruption: String, Sendable, CaseIterable {
    case otherApp, background, splitScreen, pressure
}

/// Fault of detection, of the camera, or of the system around it; times in nanoseconds.
public enum Fault: Sendable, Equatable {
    /// Missed detection: the subject is present and is not reported.
    case missDetection(String, until: Int64)
    /// Identity switch: from here on the tracker confuses both subjects.
    case swapIDs(String, String)
    /// Dropped frames, this many.
    case dropFrames(Int)
    /// Interruption of the session until a time; no frame comes meanwhile.
    case interrupt(Interruption, until: Int64)
    /// Reset of the media services: the session stops with a runtime error.
    case runtimeError
    /// Disconnection of the camera, for good.
    case disconnect
    /// Full disk from here on.
    case diskFull
    /// System pressure of the camera.
    case pressure(Pressure)
    /// Late metadata: until a time the app gets a frame's objects this many frames later.
    case lateMetadata(frames: Int, until: Int64)
    /// Withdrawn permission to use cameras: an open camera films on, none can be opened.
    case deny

    /// Level of system pressure, as in Apple's `SystemPressureState.Level`.
    public enum Pressure: String, Sendable, CaseIterable { case nominal, fair, serious, critical }
}

import Foundation
import Pipeline

/// A call of the camera's focus API, as an app makes it.
public struct APICall: Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        /// The object of a subject that was reported last, even if that is long ago.
        case trackSubject(String)
        case trackObject(Int)
        /// 0…1 of the unrotated picture; may lie outside.
        case trackPoint(CGPoint)
        case fixPoint(CGPoint)
    }

    public var kind: Kind
    public var mode: FocusMode
}

/// What an app does wrong, to see it refused.
public enum RaisingCall: Sendable, Equatable {
    /// A simulated f-number, in range or not.
    case aperture(Double)
    case zoom(Double)
    /// A focus call; without the device's lock when `isLocked` is false.
    case api(APICall, isLocked: Bool)
    /// `commitConfiguration` without a `beginConfiguration`.
    case commit
}

/// What an app does with its session besides focusing.
public enum CameraCall: Sendable, Equatable {
    public enum Recording: String, Sendable, CaseIterable { case start, stop, pause, resume }
    public enum Session: String, Sendable, CaseIterable { case start, stop, begin, commit }
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

/// Why the system takes the camera away, by the scenario's words.
public enum Interruption: String, Sendable, CaseIterable {
    case otherApp, background, splitScreen, pressure
}

/// What goes wrong in the eyes of the camera and around it; times in nanoseconds.
public enum Fault: Sendable, Equatable {
    /// The subject is there and is not seen.
    case missDetection(String, until: Int64)
    /// From here on the tracker takes one for the other.
    case swapIDs(String, String)
    /// So many frames never arrive.
    case dropFrames(Int)
    /// The session is interrupted until then; no frame comes meanwhile.
    case interrupt(Interruption, until: Int64)
    /// The media services are reset: the session stops with a runtime error.
    case runtimeError
    /// The camera is pulled out, for good.
    case disconnect
    /// From here on nothing more can be written.
    case diskFull
    /// The camera is this hot.
    case pressure(Pressure)
    /// Until then the app hears of a frame's objects so many frames later.
    case lateMetadata(frames: Int, until: Int64)
    /// The user takes back the permission to use cameras: what is open films on, nothing more can be opened.
    case deny

    public enum Pressure: String, Sendable, CaseIterable { case nominal, fair, serious, critical }
}

/// The app, as scripted calls reach it.
public protocol CallTarget: AnyObject, Sendable {
    /// Makes the call with a resolved object ID.
    func focus(objectID: Int, mode: FocusMode)
    func focus(at point: CGPoint, mode: FocusMode)
    func fixFocus(at point: CGPoint, mode: FocusMode)
    /// Makes the call; throws when the app has not what it takes.
    func perform(_ call: CameraCall) throws
    /// Makes the call and returns the names of the exceptions it raised.
    func exceptions(of call: RaisingCall) -> [String]
}

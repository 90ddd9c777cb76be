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

/// What goes wrong in the eyes of the camera; times in nanoseconds.
public enum Fault: Sendable, Equatable {
    /// The subject is there and is not seen.
    case missDetection(String, until: Int64)
    /// From here on the tracker takes one for the other.
    case swapIDs(String, String)
    /// So many frames never arrive.
    case dropFrames(Int)
}

/// The app, as scripted calls reach it.
public protocol CallTarget: AnyObject, Sendable {
    /// Makes the call with a resolved object ID.
    func focus(objectID: Int, mode: FocusMode)
    func focus(at point: CGPoint, mode: FocusMode)
    func fixFocus(at point: CGPoint, mode: FocusMode)
    /// Makes the call and returns the names of the exceptions it raised.
    func exceptions(of call: RaisingCall) -> [String]
}

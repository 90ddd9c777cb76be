import Foundation
import Pipeline
import ScenarioFormat

/// Receiver of scripted calls: the app.
public protocol CallTarget: AnyObject, Sendable {
    /// Tracks an object by its resolved ID.
    func focus(objectID: Int, mode: FocusMode)
    /// Tracks the object at a point, 0…1 of the unrotated picture.
    func focus(at point: CGPoint, mode: FocusMode)
    /// Fixes focus at the distance seen at a point, 0…1 of the unrotated picture.
    func fixFocus(at point: CGPoint, mode: FocusMode)
    /// Makes the call; throws when the app lacks what it needs.
    func perform(_ call: CameraCall) throws
    /// Makes the call and returns the names of the exceptions it raised.
    func exceptions(of call: RaisingCall) -> [String]
}

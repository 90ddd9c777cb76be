import Foundation

/// Target of touches: an app's gesture recogniser. Times in nanoseconds of presentation time, points in layer points.
public protocol TouchTarget: AnyObject, Sendable {
    /// Begins a touch.
    func touchDown(at point: CGPoint, time: Int64)
    /// Moves the touch.
    func touchMoved(to point: CGPoint, time: Int64)
    /// Ends the touch.
    func touchUp(at point: CGPoint, time: Int64)
    /// Advances time: what was waiting for `time` (a long press) happens now.
    func timePassed(to time: Int64)
}

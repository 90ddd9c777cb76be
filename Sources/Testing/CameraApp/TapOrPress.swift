import Foundation

/// Recogniser of tap and long press, from the touches of one finger and the time alone.
///
/// ```
/// idle ──down──► touching ──held long enough──► pressed ──up──► idle      (long press, when the time is over)
///                   │  └──up──► idle                                      (tap, on release)
///                   └──moved too far──► dragging ──up──► idle             (nothing)
/// ```
public struct TapOrPress: Sendable {
    /// Recognised gesture, at the point where the touch began.
    public enum Gesture: Sendable, Equatable {
        case tap(CGPoint)
        case longPress(CGPoint)
    }

    private enum State {
        case idle
        case touching(CGPoint, since: Int64)
        case pressed
        case dragging
    }

    /// Time of rest from which on a touch is a long press, nanoseconds.
    public let pressTime: Int64
    /// Distance that a touch may move, points.
    public let allowance: Double
    private var state = State.idle

    /// Creates a recogniser; `pressTime` in nanoseconds, `allowance` in points.
    public init(pressTime: Int64 = 300_000_000, allowance: Double = 10) {
        self.pressTime = pressTime
        self.allowance = allowance
    }

    /// Begins a touch.
    public mutating func down(at point: CGPoint, time: Int64) { state = .touching(point, since: time) }

    /// Moves the touch; beyond the allowance it is a drag and no gesture.
    public mutating func moved(to point: CGPoint) {
        guard case .touching(let start, _) = state else { return }
        let (dx, dy) = (point.x - start.x, point.y - start.y)
        if dx * dx + dy * dy > allowance * allowance { state = .dragging }
    }

    /// Ends the touch; returns a tap, or a long press whose time is over; nil after a drag or a reported press.
    public mutating func up(time: Int64) -> Gesture? {
        defer { state = .idle }
        if let press = timePassed(to: time) { return press }
        guard case .touching(let point, _) = state else { return nil }
        return .tap(point)
    }

    /// Reports the long press, once, as soon as the touch has rested long enough.
    public mutating func timePassed(to time: Int64) -> Gesture? {
        guard case .touching(let point, let since) = state, time - since >= pressTime else { return nil }
        state = .pressed
        return .longPress(point)
    }
}

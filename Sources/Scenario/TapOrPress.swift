import Foundation

/// Tells a tap from a long press, from one finger and the time alone.
///
/// ```
/// idle ──down──► touching ──held long enough──► pressed ──up──► idle      (long press, when the time is over)
///                   │  └──up──► idle                                      (tap, on release)
///                   └──moved too far──► dragging ──up──► idle             (nothing)
/// ```
public struct TapOrPress: Sendable {
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

    /// How long a finger rests before it is a press, in nanoseconds.
    public let pressTime: Int64
    /// How far a finger may stray in points.
    public let allowance: Double
    private var state = State.idle

    public init(pressTime: Int64 = 300_000_000, allowance: Double = 10) {
        self.pressTime = pressTime
        self.allowance = allowance
    }

    public mutating func down(at point: CGPoint, time: Int64) { state = .touching(point, since: time) }

    public mutating func moved(to point: CGPoint) {
        guard case .touching(let start, _) = state else { return }
        let (dx, dy) = (point.x - start.x, point.y - start.y)
        if dx * dx + dy * dy > allowance * allowance { state = .dragging }
    }

    public mutating func up(time: Int64) -> Gesture? {
        defer { state = .idle }
        if let press = timePassed(to: time) { return press }
        guard case .touching(let point, _) = state else { return nil }
        return .tap(point)
    }

    /// The press, once, as soon as the finger has rested long enough.
    public mutating func timePassed(to time: Int64) -> Gesture? {
        guard case .touching(let point, let since) = state, time - since >= pressTime else { return nil }
        state = .pressed
        return .longPress(point)
    }
}

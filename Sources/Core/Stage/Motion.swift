import Foundation
import Pipeline

/// Value that can be interpolated linearly.
public protocol Interpolable: Sendable {
    /// Interpolates to `other`: `fraction` 0 is this value, 1 the other.
    func interpolated(to other: Self, at fraction: Double) -> Self
}

extension Double: Interpolable {
    /// Linear interpolation.
    public func interpolated(to other: Double, at fraction: Double) -> Double { self + (other - self) * fraction }
}

extension Placement: Interpolable {
    /// Interpolates the box linearly and the depth linearly in disparity, so that size and distance change together.
    public func interpolated(to other: Placement, at fraction: Double) -> Placement {
        func between(_ from: CGFloat, _ to: CGFloat) -> Double { Double(from).interpolated(to: Double(to), at: fraction) }
        return Placement(
            box: CGRect(
                x: between(box.minX, other.box.minX), y: between(box.minY, other.box.minY),
                width: between(box.width, other.box.width), height: between(box.height, other.box.height)),
            depth: 1 / (1 / depth).interpolated(to: 1 / other.depth, at: fraction))
    }
}

/// Value over time: an initial one, then moves, each from wherever the value is to its target.
public struct Motion<Value: Interpolable>: Sendable {
    /// Move to a target: its start, duration and easing.
    public struct Move: Sendable {
        /// Start, nanoseconds of presentation time.
        public var start: Int64
        /// Duration in nanoseconds; 0 is a jump.
        public var duration: Int64
        /// Value at the end of the move.
        public var target: Value
        /// Easing curve.
        public var ease: Ease
    }

    /// Value before the first move.
    public let initial: Value
    /// Moves in order of their start.
    public private(set) var moves: [Move] = []

    /// Creates a constant value.
    public init(_ initial: Value) { self.initial = initial }

    /// Adds a move (times in nanoseconds); moves come in order of their start. One that starts before the last has ended takes over from where it is.
    public mutating func move(to target: Value, start: Int64, over duration: Int64, ease: Ease = .inOut) {
        moves.append(Move(start: start, duration: duration, target: target, ease: ease))
    }

    /// Value at `time` nanoseconds.
    public func callAsFunction(at time: Int64) -> Value {
        var (value, active): (Value, Move?) = (initial, nil)
        func interpolated(_ value: Value, _ move: Move?, at time: Int64) -> Value {
            guard let move else { return value }
            if time >= move.start + move.duration { return move.target }
            return value.interpolated(to: move.target, at: move.ease(Double(time - move.start) / Double(move.duration)))
        }
        for move in moves where move.start <= time {
            value = interpolated(value, active, at: move.start)
            active = move
        }
        return interpolated(value, active, at: time)
    }
}

import Foundation

/// Course of an ordered rack: when it begins, when it lands, and on which curve. Times in nanoseconds of presentation time.
public struct RackCourse: Sendable, Equatable, Codable {
    /// Time from which on the rack may begin, nanoseconds.
    public var begin: Int64
    /// Length of the rack; nil is the time to `landing`, else the length that an automatic rack would have.
    public var over: Int64?
    /// Time at which focus has arrived; nil is `over` after `begin` live, and `begin` itself with look-ahead.
    public var landing: Int64?
    /// Curve; nil is that of automatic racks.
    public var ease: Ease?

    /// Creates a course, by default that of an automatic rack.
    public init(begin: Int64, over: Int64? = nil, landing: Int64? = nil, ease: Ease? = nil) {
        (self.begin, self.over, self.landing, self.ease) = (begin, over, landing, ease)
    }

    /// End of a live rack that would last `automatic` by itself.
    public func end(automatic: Int64) -> Int64 { landing ?? begin + (over ?? automatic) }

    /// Length of a rack whose landing is known and that would last `automatic` by itself.
    public func length(automatic: Int64) -> Int64 { over ?? landing.map { $0 - begin } ?? automatic }
}

/// Focus as a director orders it: on what, how it is held, and the course of the rack there.
public struct FocusOrder: Sendable, Equatable, Codable {
    /// Target of the order.
    public enum Target: Sendable, Equatable, Codable {
        /// An object by its ID.
        case object(Int)
        /// Object or surface at a point, 0…1 of the unrotated picture, origin top left.
        case point(CGPoint)
        /// A distance in metres, > 0.
        case distance(Double)
    }

    /// Manner in which focus is held.
    public enum Mode: String, Sendable, Codable, CaseIterable {
        /// Follows the target; the algorithm may move on.
        case weak
        /// Follows the target until it is gone.
        case strong
        /// Holds the distance that the target has at the time of the order.
        case fixed
    }

    /// Target of the order.
    public var target: Target
    /// Manner in which focus is held; nil is `fixed` at a distance, else `strong`, and `fixed` at a point where nothing can be followed.
    public var mode: Mode?
    /// Course of the rack.
    public var course: RackCourse

    /// Creates an order.
    public init(_ target: Target, mode: Mode? = nil, course: RackCourse) {
        (self.target, self.mode, self.course) = (target, mode, course)
    }
}

import Foundation

// Signposts: marks in time for a recording tool. There is none on Linux, so that a mark goes nowhere, as on a phone while nothing records.

/// Kind of a mark.
public struct OSSignpostType: RawRepresentable, Hashable, Sendable {
    /// Kind as Apple's systems number it.
    public let rawValue: UInt8
    /// Makes a kind from its number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Single point in time.
    public static let event = OSSignpostType(rawValue: 0)
    /// Start of an interval.
    public static let begin = OSSignpostType(rawValue: 1)
    /// End of an interval.
    public static let end = OSSignpostType(rawValue: 2)
}

/// Number that tells intervals of one name from each other.
public struct OSSignpostID: RawRepresentable, Hashable, Comparable, Sendable {
    /// The number.
    public let rawValue: UInt64
    /// Makes an identity from its number.
    public init(_ rawValue: UInt64) { self.rawValue = rawValue }
    /// Makes an identity from its number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    /// Makes a number of chance.
    public init(log: OSLog) { self.init(.random(in: 1..<0xFFFF_FFFF)) }
    /// Makes the number of an object, which lasts as long as that.
    public init(log: OSLog, object: AnyObject) { self.init(UInt64(UInt(bitPattern: ObjectIdentifier(object)))) }
    /// Number of intervals that do not overlap.
    public static let exclusive = OSSignpostID(0xEEEE_B0B5_B2B2_EEEE)
    /// Number of no interval.
    public static let invalid = OSSignpostID(.max)
    /// Number of no interval.
    public static let null = OSSignpostID(0)
    /// Whether the first has the smaller number.
    public static func < (lhs: OSSignpostID, rhs: OSSignpostID) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// Interval between its start and its end.
public final class OSSignpostIntervalState: Sendable {
    fileprivate let signpostID: OSSignpostID
    fileprivate init(_ signpostID: OSSignpostID) { self.signpostID = signpostID }
    /// Makes the state of an interval that was begun elsewhere.
    public static func beginState(id: OSSignpostID) -> OSSignpostIntervalState { OSSignpostIntervalState(id) }
}

/// Maker of marks of one subsystem and category; nothing records them.
public struct OSSignposter: Sendable {
    /// Whether anything records: never.
    public var isEnabled: Bool { false }
    /// Maker of no marks.
    public static let disabled = OSSignposter()

    /// Makes a maker without a name.
    public init() {}
    /// Makes a maker with a subsystem and a category.
    public init(subsystem: String, category: String) {}
    /// Makes a maker with a subsystem and a category that Apple names.
    public init(subsystem: String, category: OSLog.Category) {}
    /// Makes a maker beside a log.
    public init(logHandle: OSLog) {}
    /// Makes a maker beside a writer.
    public init(logger: Logger) {}

    /// Makes a number of chance.
    public func makeSignpostID() -> OSSignpostID { OSSignpostID(log: .default) }
    /// Makes the number of an object, which lasts as long as that.
    public func makeSignpostID(from object: AnyObject) -> OSSignpostID { OSSignpostID(log: .default, object: object) }

    /// Marks a point in time.
    public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive) {}
    /// Marks a point in time, with a message that nobody makes.
    public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive, _ message: @autoclosure () -> OSLogMessage) {}
    /// Begins an interval; its state ends it.
    public func beginInterval(_ name: StaticString, id: OSSignpostID = .exclusive) -> OSSignpostIntervalState { OSSignpostIntervalState(id) }
    /// Begins an interval, with a message that nobody makes; its state ends it.
    public func beginInterval(
        _ name: StaticString, id: OSSignpostID = .exclusive, _ message: @autoclosure () -> OSLogMessage
    ) -> OSSignpostIntervalState { OSSignpostIntervalState(id) }
    /// Begins an interval that an animation may outlast; its state ends it.
    public func beginAnimationInterval(_ name: StaticString, id: OSSignpostID = .exclusive) -> OSSignpostIntervalState {
        OSSignpostIntervalState(id)
    }
    /// Ends an interval.
    public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {}
    /// Ends an interval, with a message that nobody makes.
    public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState, _ message: @autoclosure () -> OSLogMessage) {}
    /// Calls a closure within an interval, and returns what it does.
    public func withIntervalSignpost<Result>(
        _ name: StaticString, id: OSSignpostID = .exclusive, around task: () throws -> Result
    ) rethrows -> Result { try task() }
    /// Calls a closure within an interval, with a message that nobody makes, and returns what it does.
    public func withIntervalSignpost<Result>(
        _ name: StaticString, id: OSSignpostID = .exclusive, _ message: @autoclosure () -> OSLogMessage, around task: () throws -> Result
    ) rethrows -> Result { try task() }
}

/// Marks a point in time, or the start or end of an interval; nothing records it.
public func os_signpost(
    _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString, signpostID: OSSignpostID = .exclusive
) {}

/// Marks a point in time, or the start or end of an interval, with a message of C's format; nothing records it.
public func os_signpost(
    _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString, signpostID: OSSignpostID = .exclusive,
    _ format: StaticString, _ arguments: any CVarArg...
) {}

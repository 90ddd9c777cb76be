import Foundation

// Logging as Apple's `os` has it, and its lock. Messages from `notice` up go to standard error, one line each; `info` and `debug` go
// nowhere, as they do on Apple's systems unless somebody looks. Privacy and format of a value are accepted; nothing is masked.

/// Importance of a message.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
    /// Importance as Apple's systems number it.
    public let rawValue: UInt8
    /// Makes an importance from its number; numbers without a name are written like `default`.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Importance 0: written to standard error.
    public static let `default` = OSLogType(rawValue: 0)
    /// Importance 1: not written.
    public static let info = OSLogType(rawValue: 1)
    /// Importance 2: not written.
    public static let debug = OSLogType(rawValue: 2)
    /// Importance 16: written with `error:`.
    public static let error = OSLogType(rawValue: 16)
    /// Importance 17: written with `fault:`.
    public static let fault = OSLogType(rawValue: 17)
}

/// Audience of an interpolated value; accepted, nothing is masked here.
public struct OSLogPrivacy: Sendable {
    /// Readable by everybody.
    public static let `public` = OSLogPrivacy()
    /// Meant to be masked; written in full here.
    public static let `private` = OSLogPrivacy()
    /// Meant to be masked even in private logs; written in full here.
    public static let sensitive = OSLogPrivacy()
    /// Left to the type of the value; written in full here.
    public static let auto = OSLogPrivacy()
}

/// Text of a message.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    /// Text with all values filled in.
    public let text: String
    /// Makes a message of fixed text.
    public init(stringLiteral value: String) { text = value }
    /// Makes a message of interpolated text.
    public init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    /// Text under construction.
    public struct StringInterpolation: StringInterpolationProtocol {
        var text = ""
        /// Starts an empty text; both sizes are ignored.
        public init(literalCapacity: Int, interpolationCount: Int) {}
        /// Appends fixed text.
        public mutating func appendLiteral(_ literal: String) { text += literal }
        /// Appends a value as `String(describing:)` writes it, whatever its privacy.
        public mutating func appendInterpolation<Value>(_ value: @autoclosure () -> Value, privacy: OSLogPrivacy = .auto) {
            text += String(describing: value())
        }
    }
}

/// Writer of messages of one subsystem and category.
public struct Logger: Sendable {
    private let prefix: String

    /// Makes a writer without a prefix.
    public init() { prefix = "" }
    /// Makes a writer whose lines begin with the subsystem and the category.
    public init(subsystem: String, category: String) { prefix = "\(subsystem) \(category) " }
    /// Makes a writer to a log.
    public init(_ logObj: OSLog) { prefix = logObj.prefix }

    /// Writes a message of importance `default`.
    public func log(_ message: OSLogMessage) { log(level: .default, message) }
    /// Writes a message as one line to standard error; `info` and `debug` are not written.
    public func log(level: OSLogType, _ message: OSLogMessage) {
        guard let line = line(level: level, message) else { return }
        FileHandle.standardError.write(Data(line.utf8))
    }

    /// Drops the message, as `debug`.
    public func trace(_ message: OSLogMessage) { log(level: .debug, message) }
    /// Drops the message.
    public func debug(_ message: OSLogMessage) { log(level: .debug, message) }
    /// Drops the message.
    public func info(_ message: OSLogMessage) { log(level: .info, message) }
    /// Writes a message of importance `default`.
    public func notice(_ message: OSLogMessage) { log(level: .default, message) }
    /// Writes a message of importance `error`.
    public func warning(_ message: OSLogMessage) { log(level: .error, message) }
    /// Writes a message of importance `error`.
    public func error(_ message: OSLogMessage) { log(level: .error, message) }
    /// Writes a message of importance `fault`.
    public func critical(_ message: OSLogMessage) { log(level: .fault, message) }
    /// Writes a message of importance `fault`.
    public func fault(_ message: OSLogMessage) { log(level: .fault, message) }

    /// Returns the line to write; nil for importances that are not written.
    package func line(level: OSLogType, _ message: OSLogMessage) -> String? {
        switch level {
        case .info, .debug: nil
        case .error: "\(prefix)error: \(message.text)\n"
        case .fault: "\(prefix)fault: \(message.text)\n"
        default: "\(prefix)\(message.text)\n"
        }
    }
}

/// Lock around a value; copies share it.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    private final class Box {
        let lock = NSLock()
        var state: State
        init(_ state: State) { self.state = state }
    }

    private let box: Box
    /// Makes an unlocked lock around `initialState`.
    public init(initialState: sending State) { box = Box(initialState) }
    /// Calls `body` with the value while the lock is held, whatever either is; not reentrant.
    public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R { try box.lock.withLock { try body(&box.state) } }
    /// Makes an unlocked lock around a value that cannot be sent.
    public init(uncheckedState initialState: State) { box = Box(initialState) }

    /// Calls `body` with the value while the lock is held; not reentrant.
    public func withLock<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R {
        try box.lock.withLock { try body(&box.state) }
    }

    /// Calls `body` with the value if the lock is free, and returns its result; else nil.
    public func withLockIfAvailable<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R? {
        try withLockIfAvailableUnchecked(body)
    }
    /// Calls `body` with the value, whatever either is, if the lock is free, and returns its result; else nil.
    public func withLockIfAvailableUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R? {
        guard box.lock.try() else { return nil }
        defer { box.lock.unlock() }
        return try body(&box.state)
    }
}

extension OSAllocatedUnfairLock where State == Void {
    /// Makes an unlocked lock around nothing.
    public init() { self.init(initialState: ()) }
    /// Locks; the same thread unlocks, and does not lock before.
    public func lock() { box.lock.lock() }
    /// Unlocks.
    public func unlock() { box.lock.unlock() }
    /// Locks unless it is locked, and returns whether it did.
    public func lockIfAvailable() -> Bool { box.lock.try() }
    /// Calls `body` if the lock is free, and returns its result; else nil.
    public func withLockIfAvailable<R: Sendable>(_ body: @Sendable () throws -> R) rethrows -> R? {
        try withLockIfAvailableUnchecked { _ in try body() }
    }
    /// Calls `body` while the lock is held; not reentrant.
    public func withLock<R: Sendable>(_ body: @Sendable () throws -> R) rethrows -> R { try box.lock.withLock { try body() } }
}

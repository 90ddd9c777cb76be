import Foundation

// Logging as Apple's `os` has it, and its lock. Messages from `notice` up go to standard error, one line each; `info` and `debug` go
// nowhere, as they do on Apple's systems unless somebody looks. Privacy and format of a value are accepted; nothing is masked.

/// How much a message matters.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let `default` = OSLogType(rawValue: 0)
    public static let info = OSLogType(rawValue: 1)
    public static let debug = OSLogType(rawValue: 2)
    public static let error = OSLogType(rawValue: 16)
    public static let fault = OSLogType(rawValue: 17)
}

/// Who may read a value.
public struct OSLogPrivacy: Sendable {
    public static let `public` = OSLogPrivacy()
    public static let `private` = OSLogPrivacy()
    public static let sensitive = OSLogPrivacy()
    public static let auto = OSLogPrivacy()
}

/// The text of a message.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    public let text: String
    public init(stringLiteral value: String) { text = value }
    public init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    public struct StringInterpolation: StringInterpolationProtocol {
        var text = ""
        public init(literalCapacity: Int, interpolationCount: Int) {}
        public mutating func appendLiteral(_ literal: String) { text += literal }
        public mutating func appendInterpolation<Value>(_ value: @autoclosure () -> Value, privacy: OSLogPrivacy = .auto) {
            text += String(describing: value())
        }
    }
}

/// Writes messages of one subsystem and category.
public struct Logger: Sendable {
    private let prefix: String

    public init() { prefix = "" }
    public init(subsystem: String, category: String) { prefix = "\(subsystem) \(category) " }

    public func log(_ message: OSLogMessage) { log(level: .default, message) }
    public func log(level: OSLogType, _ message: OSLogMessage) {
        guard let line = line(level: level, message) else { return }
        FileHandle.standardError.write(Data(line.utf8))
    }

    public func trace(_ message: OSLogMessage) { log(level: .debug, message) }
    public func debug(_ message: OSLogMessage) { log(level: .debug, message) }
    public func info(_ message: OSLogMessage) { log(level: .info, message) }
    public func notice(_ message: OSLogMessage) { log(level: .default, message) }
    public func warning(_ message: OSLogMessage) { log(level: .error, message) }
    public func error(_ message: OSLogMessage) { log(level: .error, message) }
    public func critical(_ message: OSLogMessage) { log(level: .fault, message) }
    public func fault(_ message: OSLogMessage) { log(level: .fault, message) }

    /// What is written; nil for what goes nowhere.
    package func line(level: OSLogType, _ message: OSLogMessage) -> String? {
        switch level {
        case .info, .debug: nil
        case .error: "\(prefix)error: \(message.text)\n"
        case .fault: "\(prefix)fault: \(message.text)\n"
        default: "\(prefix)\(message.text)\n"
        }
    }
}

/// A lock around a value.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    private final class Box {
        let lock = NSLock()
        var state: State
        init(_ state: State) { self.state = state }
    }

    private let box: Box
    public init(initialState: sending State) { box = Box(initialState) }
    public func withLock<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R {
        try box.lock.withLock { try body(&box.state) }
    }
}

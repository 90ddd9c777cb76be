import Foundation

/// Log of one subsystem and category, as functions take it.
public final class OSLog: Sendable {
    let prefix: String
    private let isWritten: Bool

    /// Makes a log whose lines begin with the subsystem and the category.
    public convenience init(subsystem: String, category: String) { self.init("\(subsystem) \(category) ", isWritten: true) }

    /// Makes a log whose lines begin with the subsystem and a category that Apple names.
    public convenience init(subsystem: String, category: Category) { self.init(subsystem: subsystem, category: category.rawValue) }

    /// Category that Apple names.
    public struct Category: RawRepresentable, Hashable, Sendable {
        /// Name of the category.
        public let rawValue: String
        /// Makes a category from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Marks of interest to whoever records.
        public static let pointsOfInterest = Category(rawValue: "PointsOfInterest")
        /// Marks that a tool records with its stacks.
        public static let dynamicStackTracing = Category(rawValue: "DynamicStackTracing")
        /// Marks that a tool records on demand.
        public static let dynamicTracing = Category(rawValue: "DynamicTracing")
    }

    private init(_ prefix: String, isWritten: Bool) {
        self.prefix = prefix
        self.isWritten = isWritten
    }

    /// Log without a prefix.
    public static let `default` = OSLog("", isWritten: true)
    /// Log that drops everything.
    public static let disabled = OSLog("", isWritten: false)

    /// Whether anything records signposts: never.
    public var signpostsEnabled: Bool { false }

    /// Returns whether messages of an importance are written.
    public func isEnabled(type: OSLogType) -> Bool { isWritten && type != .info && type != .debug }

    /// Text of C's format with its values; `%{public}@` and `%@` take values of any type.
    package static func text(_ format: String, _ values: [any CVarArg]) -> String {
        var plain = format
        while let start = plain.range(of: "%{"), let end = plain[start.upperBound...].firstIndex(of: "}") {
            plain.replaceSubrange(start.lowerBound...end, with: "%")
        }
        return String(format: plain, arguments: values)
    }
}

/// Writes a message of C's format as one line to standard error; `info` and `debug` are not written.
public func os_log(_ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default, type: OSLogType = .default, _ args: any CVarArg...) {
    guard log.isEnabled(type: type) else { return }
    Logger(log).log(level: type, OSLogMessage(stringLiteral: OSLog.text(message.description, args)))
}

/// Writes a message as one line to standard error; `info` and `debug` are not written.
public func os_log(_ type: OSLogType = .default, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: OSLogMessage) {
    guard log.isEnabled(type: type) else { return }
    Logger(log).log(level: type, message)
}

/// Writes a message of C's format as one line to standard error; `info` and `debug` are not written.
public func os_log(_ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString, _ args: any CVarArg...) {
    guard log.isEnabled(type: type) else { return }
    Logger(log).log(level: type, OSLogMessage(stringLiteral: OSLog.text(message.description, args)))
}

/// Writes a message of importance `default` as one line to standard error.
public func os_log(_ message: OSLogMessage) { Logger().log(message) }

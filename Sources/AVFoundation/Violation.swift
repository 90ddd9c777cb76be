import Foundation

extension CaptureEnvironment {
    /// A breach of Apple's contract: what would be an Objective-C exception on Apple's systems.
    public struct Violation: Error, Sendable, Equatable, CustomStringConvertible {
        /// Apple's three exception classes.
        public enum Name: String, Sendable {
            case invalidArgument = "NSInvalidArgumentException"
            case generic = "NSGenericException"
            case range = "NSRangeException"
        }

        public let name: Name
        /// Objective-C spelling with its class, for example `-[AVCaptureSession addInput:]`.
        public let selector: String
        /// As Apple words it, selector included.
        public let reason: String

        public var description: String { "\(name.rawValue): \(reason)" }
    }

    /// Takes every breach inside a scope; the offending call then does nothing.
    @TaskLocal static var scopedViolations: ViolationRecord?

    /// Runs `body` and returns the breaches of contract made in it, none of which traps.
    package static func violations(in body: () throws -> Void) rethrows -> [Violation] {
        let record = ViolationRecord()
        try $scopedViolations.withValue(record, operation: body)
        return record.all
    }

    /// The one funnel: the handler of the scope, else the environment's, else the end of the program.
    func raise(_ name: Violation.Name, _ selector: String, _ reason: String) {
        let violation = Violation(name: name, selector: selector, reason: "*** \(selector) \(reason)")
        if let record = Self.scopedViolations { return record.append(violation) }
        if let onViolation { return onViolation(violation) }
        fatalError("Terminating app due to uncaught exception '\(name.rawValue)', reason: '\(violation.reason)'")
    }

    /// Whether a delegate comes with the queue to call it on; raises when not.
    func allows(_ delegate: AnyObject?, on queue: DispatchQueue?, _ selector: String) -> Bool {
        if delegate == nil || queue != nil { return true }
        raise(.invalidArgument, selector, "NULL queue passed with a delegate")
        return false
    }

    /// Tells of a call without effect that Apple leaves undefined.
    func diagnose(_ message: @autoclosure () -> String) {
        if let onDiagnostic { return onDiagnostic(message()) }
        FileHandle.standardError.write(Data("AVFoundation: \(message())\n".utf8))
    }
}

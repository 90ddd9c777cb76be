import Foundation

extension CaptureEnvironment {
    /// Breach of Apple's contract: on Apple's systems an Objective-C exception.
    public struct Violation: Error, Sendable, Equatable, CustomStringConvertible {
        /// Class of Apple's exceptions.
        public enum Name: String, Sendable {
            /// A value, an object or a configuration that the call does not take.
            case invalidArgument = "NSInvalidArgumentException"
            /// A call at the wrong time, as without the device's lock.
            case generic = "NSGenericException"
            /// A call in a state that does not take it, as appending to a writer that is not ready.
            case internalInconsistency = "NSInternalInconsistencyException"
            /// A number out of range.
            case range = "NSRangeException"
        }

        /// Class of the exception.
        public let name: Name
        /// Method that was called, in Objective-C with its class: `-[AVCaptureSession addInput:]`.
        public let selector: String
        /// Reason as Apple words it, selector included.
        public let reason: String

        /// Class and reason as one line.
        public var description: String { "\(name.rawValue): \(reason)" }
    }

    /// Record of the breaches inside a scope, whose offending calls then do nothing; nil outside of one.
    @TaskLocal static var scopedViolations: ViolationRecord?

    /// Runs `body` and returns the breaches of contract made in it, none of which traps.
    package static func violations(in body: () throws -> Void) rethrows -> [Violation] {
        let record = ViolationRecord()
        try $scopedViolations.withValue(record, operation: body)
        return record.all
    }

    /// Reports a breach to the handler of the scope, else to the environment's, else by ending the program.
    package func raise(_ name: Violation.Name, _ selector: String, _ reason: String) {
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

    /// Reports a call without effect that Apple leaves undefined.
    package func diagnose(_ message: @autoclosure () -> String) {
        if let onDiagnostic { return onDiagnostic(message()) }
        FileHandle.standardError.write(Data("AVFoundation: \(message())\n".utf8))
    }
}

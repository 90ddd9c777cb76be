import AVFoundation
import Foundation
import Synchronization

/// Begin and end of a phone, and the reason of a failure.
extension TestPhone {
    /// Whether there is a process-wide phone.
    private static let isTaken = Mutex(false)

    /// Makes the phone known beyond its scope.
    func begin(isProcessWide: Bool) throws {
        if isProcessWide {
            let isFirst = Self.isTaken.withLock { taken in
                defer { taken = true }
                return !taken
            }
            guard isFirst else {
                throw TestFailure("another test has the process-wide phone: run such tests one after another, in one suite that is `.serialized`")
            }
            _ = CaptureEnvironment.exchange(environment)
        }
        StrayLookups.watch(for: self) { [witness] in witness.noteStrayLookup() }
    }

    /// Stops the app's sessions and forgets the phone.
    func end(isProcessWide: Bool) {
        StrayLookups.unwatch(self)
        if isProcessWide {
            _ = CaptureEnvironment.exchange(nil)
            Self.isTaken.withLock { $0 = false }
        }
        conditions.end()
    }

    /// Puts a call that would have ended the app before a failure, and after it a hint where no frame came from this phone.
    ///
    /// Whose lookup went astray nobody knows: tests run side by side.
    func explained(_ error: any Error) -> any Error {
        let reason = reason(of: error)
        guard var failure = reason as? TestFailure else { return reason }
        failure.chronicle = witness.chronicle
        return failure
    }

    private func reason(of error: any Error) -> any Error {
        var failure = (error as? TestFailure) ?? TestFailure(String(describing: error))
        if let violation = violations.first {
            if !failure.message.hasPrefix(Witness.endingPrefix) { failure.message = "\(Witness.ending(violation))\nafterwards: \(failure.message)" }
            return failure
        }
        guard witness.hasStrayLookups, frameCount == 0 else { return error }
        failure.message +=
            "\nnote: a camera or a session was made on a queue that belongs to no test, where there is no phone; if it was this test's app, "
            + "call `withTestPhone(isProcessWide: true)`, in a suite that is `.serialized`"
        return failure
    }

    /// Throws when a call was made that would have ended the app, and that nobody expects: what follows means nothing.
    func requireAlive(_ file: StaticString, _ line: UInt) throws {
        guard !witness.expectsViolations, let violation = violations.first else { return }
        throw TestFailure(Witness.ending(violation), file, line)
    }
}

extension Witness {
    static let endingPrefix = "this would have ended the app: "
    static func ending(_ violation: CaptureEnvironment.Violation) -> String { endingPrefix + violation.description }
}

import AVFCapture
import Foundation
import ScenarioRun
import Synchronization
import Testing

/// Begin and end of a phone, and the reason of a failure.
extension TestPhone {
    /// Whether there is a process-wide phone.
    private static let isTaken = Mutex(false)

    /// Runs a test with this phone.
    func run<Result>(
        isProcessWide: Bool, endsPhone: Bool, isolation: isolated (any Actor)?, _ file: StaticString, _ line: UInt,
        _ body: (TestPhone) async throws -> Result
    ) async throws -> Result {
        let result: Result
        do {
            try begin(isProcessWide: isProcessWide)
            defer { end(isProcessWide: isProcessWide, endsPhone: endsPhone) }
            result = try await CaptureEnvironment.$scoped.withValue(environment) { try await tellingEndings(isolation, body) }
        } catch {
            throw await outcome(of: error, file, line)
        }
        if !witness.hasToldEnding, let failure = violationFailure(file, line) { throw await failure.recorded(with: self.files(of: failure)) }
        return result
    }

    /// Runs a test's body; in Swift Testing a call that would have ended the app is recorded ahead of the first expectation that fails after it.
    private func tellingEndings<Result>(_ isolation: isolated (any Actor)?, _ body: (TestPhone) async throws -> Result) async throws -> Result {
        guard TestFailure.isRecorded, Test.current != nil else { return try await body(self) }
        var outcome: Swift.Result<Result, any Error>?
        // No issue is known: the matcher only sees each before it is recorded.
        await withKnownIssue(isIntermittent: true, isolation: isolation) {
            do { outcome = .success(try await body(self)) } catch { outcome = .failure(error) }
        } matching: { [self] issue in
            if !witness.expectsViolations, let violation = violations.first, witness.tellsEnding() {
                Issue.record(
                    TestFailure.Words(description: Witness.ending(violation)), sourceLocation: issue.sourceLocation ?? #_sourceLocation)
            }
            return false
        }
        guard let outcome else { preconditionFailure("the body has run") }
        return try outcome.get()
    }

    /// Puts a call that would have ended the app before a failure's description; nil where none was made, or the description tells it.
    func afterEnding(_ description: String) -> String? {
        guard !witness.expectsViolations, let violation = violations.first, !description.contains(Witness.endingPrefix) else { return nil }
        return "\(Witness.ending(violation))\nafterwards: \(description)"
    }

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
            state.withLock { $0.isProcessWide = true }
        }
        StrayLookups.watch(for: self) { [witness] in witness.noteStrayLookup() }
    }

    /// Stops the app's sessions and, where the phone ends, forgets it.
    func end(isProcessWide: Bool, endsPhone: Bool) {
        StrayLookups.unwatch(self)
        let isMine = state.withLock { state in
            defer { state.isProcessWide = false }
            return state.isProcessWide
        }
        if isMine {
            _ = CaptureEnvironment.exchange(nil)
            Self.isTaken.withLock { $0 = false }
        }
        conditions.end(isForGood: endsPhone)
        witness.run?.disconnect()
    }

    /// Error that leaves the test: that of the app, or a failure with its reasons, recorded at its line.
    private func outcome(of error: any Error, _ file: StaticString, _ line: UInt) async -> any Error {
        guard var failure = explained(error) else { return error }
        failure.source = failure.source ?? TestFailure.Source(file: file, line: line)
        return await failure.recorded(with: files(of: failure))
    }

    /// Failure of a test that made a call which would have ended the app; nil where none was made.
    func violationFailure(_ file: StaticString, _ line: UInt) -> TestFailure? {
        violations.first.map { TestFailure("\(Witness.ending($0)) (expect it with `expectViolation`)", file, line) }
    }

    /// Puts a call that would have ended the app before a failure, and after it a hint where no frame came from this phone; nil for an error of the
    /// app's that neither explains.
    ///
    /// Whose lookup went astray nobody knows: tests run side by side.
    func explained(_ error: any Error) -> TestFailure? {
        guard var failure = reason(of: error) else { return nil }
        failure.chronicle = witness.chronicle
        return failure
    }

    private func reason(of error: any Error) -> TestFailure? {
        let own = error as? TestFailure
        var failure = own ?? TestFailure(error is ExpectationFailedError ? "the test ended at a failed `#require`" : String(describing: error))
        if !violations.isEmpty {
            failure.message = afterEnding(failure.message) ?? failure.message
            return failure
        }
        guard frameCount == 0, witness.hasStrayLookups || (StrayLookups.haveHappened && !conditions.hasDevices) else { return own }
        failure.message +=
            "\nnote: a camera or a session was used where there is no phone: before `withTestPhone`, or outside of its tasks, as in a detached one; if it was "
            + "this test's app, make its model within `withTestPhone`, let it look for its camera when it starts, or call "
            + "`withTestPhone(isProcessWide: true)` in a suite that is `.serialized`"
        return failure
    }

    /// Files of the run so far: trace, drawing and decisions, and the failure in words.
    func files(of failure: TestFailure) -> [(name: String, data: Data)] {
        [("failure.txt", Data("\(failure)\n".utf8))] + witness.files
    }

    /// Whether a call was made that would have ended the app, and that nobody expects.
    var isEnded: Bool { !witness.expectsViolations && !violations.isEmpty }

    /// Throws when a call was made that would have ended the app, and that nobody expects: what follows means nothing.
    func requireAlive(_ file: StaticString, _ line: UInt) throws {
        guard isEnded, let violation = violations.first else { return }
        throw TestFailure(Witness.ending(violation), file, line)
    }
}

extension Witness {
    static let endingPrefix = "this would have ended the app: "
    static func ending(_ violation: CaptureEnvironment.Violation) -> String { endingPrefix + violation.description }
}

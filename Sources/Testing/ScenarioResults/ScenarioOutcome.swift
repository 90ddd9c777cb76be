import Foundation
import RunReport
import ScenarioFormat

/// Outcome of one run of a scenario.
public struct ScenarioOutcome: Sendable {
    /// Verdict of the run.
    public private(set) var verdict = Verdict.passed
    /// Failures in the order in which they happened; known issues are not among them.
    public private(set) var failures: [RunFailure]
    /// Known failures that happened, as `id: why`.
    public private(set) var knownIssues: [String] = []
    /// Things worth telling that fail nothing.
    public var notes: [String] = []
    /// Number of frames decided.
    public let frames: Int
    /// SHA-256 of `trace.jsonl`.
    public let traceHash: String
    /// Everything for the run directory.
    public var files: [(name: String, data: Data)]
    private let location: FileLocation

    /// Creates the outcome of a run from the failures of its expectations, the rules it broke, its files, and the report of its pictures (nil: not
    /// looked at).
    package init(
        _ scenario: ScenarioFile, failures: [RunFailure], broken: [RunFailure], frames: Int, files: [(name: String, data: Data)],
        pictures: PictureReport?
    ) {
        location = FileLocation(file: scenario.path, line: 1, column: 1)
        self.failures = failures + (pictures?.failures ?? [])
        self.files = files + (pictures?.files ?? [])
        notes = pictures?.notes ?? scenario.uncheckedPictures.map { [$0] } ?? []
        self.frames = frames
        traceHash = files.first { $0.name == "trace.jsonl.sha256" }.map { String(decoding: $0.data.prefix(64), as: UTF8.self) } ?? ""
        removeKnown(scenario.issues)
        if !self.failures.isEmpty { verdict = .failed }
        for failure in pictures?.missing ?? [] { fail(failure.message, .goldenMissing, at: failure.location) }
        for failure in broken { fail(failure.message, .invariantBroken, at: failure.location) }
    }

    /// Contents of `trace.jsonl`; empty when there is none.
    public var trace: String { files.first { $0.name == "trace.jsonl" }.map { String(decoding: $0.data, as: UTF8.self) } ?? "" }

    /// Adds a failure; the worst verdict stays.
    public mutating func fail(_ message: String, _ verdict: Verdict, at place: FileLocation? = nil) {
        failures.append(RunFailure(location: place ?? location, message: message))
        if verdict.worse(than: self.verdict) { self.verdict = verdict }
    }

    /// Removes known failures; a known failure that did not happen is one itself, unless it happens only sometimes.
    private mutating func removeKnown(_ issues: [KnownIssue]) {
        for issue in issues {
            let before = failures.count
            failures.removeAll { $0.message.contains(issue.message) }
            if failures.count < before {
                knownIssues.append("\(issue.id): \(issue.why)")
            } else if !issue.isSometimes {
                let message = "the known issue \(issue.id) did not happen (\"\(issue.message)\"): remove it, or mark it `sometimes: true`"
                failures.append(RunFailure(location: issue.location, message: message))
            }
        }
    }
}

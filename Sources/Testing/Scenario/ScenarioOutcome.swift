import Foundation

/// Verdict on a scenario; the number is the exit code of `rackfocus test`, and the worst of a run wins.
public enum Verdict: Int, Sendable, Codable, CaseIterable {
    case passed = 0
    case failed = 1
    case scenarioWrong = 2
    case deviceMissing = 3
    case goldenMissing = 4
    case invariantBroken = 5
    case timedOut = 6
    case notReproducible = 7
    case inputUnusable = 66
    case `internal` = 70

    /// One word for a line of a report.
    public var word: String {
        switch self {
        case .passed: "ok"
        case .failed: "FAILED"
        case .scenarioWrong: "WRONG"
        case .deviceMissing: "NO DEVICE"
        case .goldenMissing: "NO GOLDEN"
        case .invariantBroken: "BROKEN"
        case .timedOut: "TIMEOUT"
        case .notReproducible: "NOT REPRODUCIBLE"
        case .inputUnusable: "NO INPUT"
        case .internal: "CRASHED"
        }
    }

    /// Whether this verdict outweighs another: the larger number does.
    public func worse(than other: Verdict) -> Bool { rawValue > other.rawValue }
}

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

    init(_ scenario: ScenarioFile, _ run: ScenarioRun, _ pictures: PictureReport?, drawsPlot: Bool = true) {
        location = FileLocation(file: scenario.path, line: 1, column: 1)
        failures = run.finish() + (pictures?.failures ?? [])
        files = run.files(drawsPlot: drawsPlot) + (pictures?.files ?? [])
        notes = pictures?.notes ?? scenario.picturesLeftOut.map { [$0] } ?? []
        frames = run.frameCount
        traceHash = files.first { $0.name == "trace.jsonl.sha256" }.map { String(decoding: $0.data.prefix(64), as: UTF8.self) } ?? ""
        let broken = run.brokenInvariants
        settle(scenario.issues)
        if !failures.isEmpty { verdict = .failed }
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

    /// Takes known failures out; a known failure that did not happen is one itself, unless it happens only sometimes.
    private mutating func settle(_ issues: [KnownIssue]) {
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

/// Known issue: a failure that fails no run, until it is gone.
public struct KnownIssue: Sendable, Equatable {
    /// Name of the issue.
    public var id: String
    /// Reason for which it is known, in words.
    public var why: String
    /// Text that the failure's message contains.
    public var message: String
    /// Whether it happens in some runs only.
    public var isSometimes: Bool
    /// Place in the scenario file, for messages.
    public var location: FileLocation

    init(_ node: Node) throws(ScenarioError) {
        let fields = try Fields(node, of: "an issue", Format.issue)
        id = try fields.required("id").text("the issue's id")
        why = try fields.required("why", "one sentence").text("the issue's why")
        message = try fields.required("message", "a part of the failure's message").text("the failure's message")
        isSometimes = try fields.read("sometimes") { node throws(ScenarioError) in try node.bool("sometimes") } ?? false
        location = node.location
    }
}

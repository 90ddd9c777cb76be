import Foundation
import Pipeline
import RunReport
import ScenarioFormat
import Support

/// Result of one scenario of a test run, as `result.json` keeps it; nothing in it depends on the time of day.
public struct TestResult: Codable, Sendable, Equatable {
    /// Failure of a scenario, with its place.
    public struct Failure: Codable, Sendable, Equatable {
        /// Place as `file:line:column`.
        public var at: String
        /// Failure in words.
        public var message: String
    }

    /// Stable ID: path, then the point of its matrix in brackets.
    public var id: String
    /// Name of the scenario.
    public var name: String
    /// Name of its directory among the results.
    public var slug: String
    /// Verdict of the run.
    public var verdict: Verdict
    /// Number of frames decided.
    public var frames: Int
    /// SHA-256 of the trace; empty when there is none.
    public var trace: String
    /// SHA-256 of the scenario's text.
    public var inputs: String
    /// Version of the engine, `TraceWriter.engineVersion`.
    public var engine = TraceWriter.engineVersion
    /// Failures in the order in which they happened.
    public var failures: [Failure] = []
    /// Known failures that happened, as `id: why`.
    public var knownIssues: [String] = []
    /// Notes that fail nothing.
    public var notes: [String] = []
    /// True where golden pictures and expectations of blur were checked; nil, and absent in the file, where they were not.
    private var pictures: Bool?

    /// Whether golden pictures and expectations of blur were checked.
    package var checkedPictures: Bool { pictures ?? false }

    /// A scenario that could not be run; nil is one that could not even be read.
    public init(_ item: TestPlan.Item, _ scenario: ScenarioFile?, _ verdict: Verdict, _ message: String, at place: String? = nil) {
        (id, name, slug) = (item.id, scenario?.name ?? item.id, item.slug)
        (self.verdict, frames, trace, inputs) = (verdict, 0, "", scenario?.digest ?? "")
        failures = [Failure(at: place ?? item.path, message: message)]
    }

    /// Creates the result of a faulty file: the message with its line and caret, at its place.
    public init(_ item: TestPlan.Item, _ error: ScenarioError) {
        let place = error.location?.description ?? error.file
        let verdict = error.location == nil ? Verdict.inputUnusable : .scenarioWrong
        self.init(item, nil, verdict, String(error.description.dropFirst(place.count + 2)), at: place)
    }

    /// Creates the result of a run.
    public init(_ item: TestPlan.Item, _ scenario: ScenarioFile, _ outcome: ScenarioOutcome, checkedPictures: Bool = false) {
        pictures = checkedPictures ? true : nil
        (id, name, slug) = (item.id, scenario.name, item.slug)
        (verdict, frames, trace, inputs) = (outcome.verdict, outcome.frames, outcome.traceHash, scenario.digest)
        failures = outcome.failures.map { Failure(at: $0.location.description, message: $0.message) }
        (knownIssues, notes) = (outcome.knownIssues, outcome.notes)
    }

    /// Adds a failure; the worse verdict stays.
    public mutating func fail(_ verdict: Verdict, _ message: String) {
        failures.append(Failure(at: String(id.prefix { $0 != "[" }), message: message))
        if verdict.worse(than: self.verdict) { self.verdict = verdict }
    }

    /// Summary for people: one line, and failures below it.
    public var text: String {
        let known = knownIssues.map { "\n    known: \($0)" }.joined()
        let remarks = notes.map { "\n    \($0)" }.joined()
        let failed = failures.map { "\n    \($0.at): \($0.message)" }.joined()
        return ("\(verdict.word)  \(id)  \(name)" + failed + known + remarks).printable
    }

    /// The result as `result.json`, keys in order.
    public var json: Data { get throws { try JSONEncoder.readable.encode(self) } }

    /// Reads a `result.json`; nil when it is missing or damaged.
    package static func read(_ path: String) throws(InputError) -> TestResult? { try FileContents.readIfThere(path).flatMap { TestResult($0) } }

    /// Reads the bytes of a `result.json`; nil when they are none.
    init?(_ data: Data) {
        guard let read = try? JSONDecoder().decode(Self.self, from: data) else { return nil }
        self = read
    }
}

import Foundation

/// How one scenario of a test run came out, as `result.json` keeps it; nothing in it depends on the time of day.
public struct TestResult: Codable, Sendable, Equatable {
    public struct Failure: Codable, Sendable, Equatable {
        /// `file:line:column`.
        public var at: String
        public var message: String
    }

    public var id: String
    public var name: String
    public var slug: String
    public var verdict: Verdict
    public var frames: Int
    /// SHA-256 of the trace; empty when there is none.
    public var trace: String
    /// SHA-256 of the scenario's text.
    public var inputs: String
    public var engine = TraceWriter.engineVersion
    public var failures: [Failure] = []
    public var knownIssues: [String] = []
    public var notes: [String] = []

    /// A scenario that could not be run.
    public init(_ item: TestPlan.Item, _ verdict: Verdict, _ message: String, at place: String? = nil) {
        let scenario = try? item.scenario.get()
        (id, name, slug) = (item.id, scenario?.name ?? item.id, item.slug)
        (self.verdict, frames, trace, inputs) = (verdict, 0, "", scenario?.digest ?? "")
        failures = [Failure(at: place ?? item.path, message: message)]
    }

    /// A scenario whose file is wrong: the message with its line and caret, at its place.
    public init(_ item: TestPlan.Item, _ error: ScenarioError) {
        let place = error.location?.description ?? error.file
        self.init(item, .scenarioWrong, String(error.description.dropFirst(place.count + 2)), at: place)
    }

    public init(_ item: TestPlan.Item, _ scenario: ScenarioFile, _ outcome: ScenarioOutcome) {
        (id, name, slug) = (item.id, scenario.name, item.slug)
        (verdict, frames, trace, inputs) = (outcome.verdict, outcome.frames, outcome.traceHash, scenario.digest)
        failures = outcome.failures.map { Failure(at: $0.location.description, message: $0.message) }
        (knownIssues, notes) = (outcome.knownIssues, outcome.notes)
    }

    public mutating func fail(_ verdict: Verdict, _ message: String) {
        failures.append(Failure(at: String(id.prefix { $0 != "[" }), message: message))
        if verdict.worse(than: self.verdict) { self.verdict = verdict }
    }

    /// One line for a person, and what failed below it.
    public var text: String {
        let known = knownIssues.map { "\n    known: \($0)" }.joined()
        let remarks = notes.map { "\n    \($0)" }.joined()
        return "\(verdict.word)  \(id)  \(name)" + failures.map { "\n    \($0.at): \($0.message)" }.joined() + known + remarks
    }

    public var json: Data { get throws { try Self.encoder.encode(self) } }

    public static func read(_ path: String) -> TestResult? {
        FileManager.default.contents(atPath: path).flatMap { try? JSONDecoder().decode(TestResult.self, from: $0) }
    }

    static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        return encoder
    }
}

/// All results of a run, in the order of their ids: `summary.json` and `junit.xml`.
public struct TestReport: Sendable {
    public let results: [TestResult]

    public init(_ results: [TestResult]) { self.results = results.sorted { $0.id < $1.id } }

    /// The worst of all.
    public var verdict: Verdict { results.map(\.verdict).max { $1.worse(than: $0) } ?? .passed }

    /// SHA-256 over every id and trace hash: equal for equal runs, however they were split.
    public var hash: String { SHA256.hexadecimal(Array(results.map { "\($0.id) \($0.trace)\n" }.joined().utf8)) }

    /// The reports, ready to be written.
    public func files() throws -> [(name: String, data: Data)] {
        struct Summary: Encodable {
            var format = 1
            var passed: Int
            var failed: Int
            var exitCode: Int
            var hash: String
            var scenarios: [TestResult]
        }
        let passed = results.filter { $0.verdict == .passed }.count
        let summary = Summary(passed: passed, failed: results.count - passed, exitCode: verdict.rawValue, hash: hash, scenarios: results)
        return [("summary.json", try TestResult.encoder.encode(summary)), ("junit.xml", Data(junit.utf8))]
    }

    private var junit: String {
        let cases = results.map { result -> String in
            let file = String(result.id.prefix { $0 != "[" })
            let open = "  <testcase classname=\"\(escaped(file))\" name=\"\(escaped(result.id))\" file=\"\(escaped(file))\""
            guard result.verdict != .passed else { return open + "/>\n" }
            let first = result.failures.first.map { "\($0.at): \($0.message)" } ?? result.verdict.word
            let text = result.failures.map { "\($0.at): \($0.message)" }.joined(separator: "\n")
            return open + ">\n    <failure type=\"\(result.verdict.word)\" message=\"\(escaped(first))\">\(escaped(text))</failure>\n  </testcase>\n"
        }
        let failures = results.filter { $0.verdict != .passed }.count
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"rackfocus\" tests=\"\(results.count)\" failures=\"\(failures)\">\n"
            + cases.joined() + "</testsuite>\n"
    }

    private func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;").replacing("\n", with: "&#10;")
    }
}

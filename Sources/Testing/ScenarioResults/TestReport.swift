import Foundation
import Support

/// Report of a run: all results in the order of their IDs, as `summary.json` and `junit.xml`.
public struct TestReport: Sendable {
    /// Of the files of a report.
    package static let names = ["summary.json", "junit.xml"]

    /// Results in the order of their IDs.
    public let results: [TestResult]

    /// Creates a report and sorts the results.
    public init(_ results: [TestResult]) { self.results = results.sorted { $0.id < $1.id } }

    /// Worst verdict of all; passed without results.
    public var verdict: Verdict { results.map(\.verdict).max { $1.worse(than: $0) } ?? .passed }

    /// Count of those that passed.
    package var passed: Int { results.filter { $0.verdict == .passed }.count }

    /// SHA-256 over every id and trace hash: equal for equal runs, however they were split.
    public var hash: String { SHA256.hexadecimal(Array(results.map { "\($0.id) \($0.trace)\n" }.joined().utf8)) }

    /// Files of the report, ready to be written.
    public func files() throws -> [(name: String, data: Data)] {
        struct Summary: Encodable {
            var format = 1
            var passed: Int
            var failed: Int
            var exitCode: Int
            var hash: String
            var scenarios: [TestResult]
        }
        let summary = Summary(passed: passed, failed: results.count - passed, exitCode: verdict.rawValue, hash: hash, scenarios: results)
        return [("summary.json", try JSONEncoder.readable.encode(summary)), ("junit.xml", Data(junit.utf8))]
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
        text.printable.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;").replacing("\n", with: "&#10;")
    }
}

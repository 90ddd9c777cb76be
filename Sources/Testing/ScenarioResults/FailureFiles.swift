import Foundation
import RunReport
import ScenarioFormat

extension ScenarioOutcome {
    /// Files that explain a failure, for the folder `diff/` of the run directory; empty when nothing failed.
    ///
    /// Each failure with ten lines of the trace either side, and a line of shell that repeats the run.
    public func failureFiles(command: String) -> [(name: String, data: Data)] {
        guard !failures.isEmpty else { return [] }
        let lines = trace.split(separator: "\n")
        let excerpts = failures.map { failure -> String in
            let mark = "\"expect\":false,\"line\":\(failure.location.line)}"
            guard let index = lines.firstIndex(where: { $0.hasSuffix(mark) }) else { return "\(failure)\n" }
            let around = GoldenTrace.around(index, of: lines).map { "    \($0)" }
            return "\(failure)\n\n    trace.jsonl, around line \(index + 1):\n\(around.joined(separator: "\n"))\n"
        }
        return [
            ("diff/failures.txt", Data(excerpts.joined(separator: "\n").utf8)), ("diff/reproduce.sh", Data("\(command)\n".utf8)),
        ]
    }
}

extension GoldenTrace {
    /// The lines from ten before `index` to ten behind it.
    static func around(_ index: Int, of lines: [Substring]) -> ArraySlice<Substring> {
        lines[max(0, min(index, lines.count) - 10)..<min(index + 11, lines.count)]
    }
}

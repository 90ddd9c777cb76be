import Foundation
import RackfocusKit
import ScenarioResults
import Support

/// `rackfocus diff`: two runs of one scenario side by side, most often one live and one with `mode: post`.
struct DiffCommand: Command {
    static let help = Help(
        name: "diff",
        summary: "Compare where focus is in two runs of a scenario.",
        usage: "diff RUN RUN",
        discussion: """
            RUN is a scenario's directory among the results of `rackfocus test`, the results themselves where there is but one in them, the
            MOVIE.run beside a movie, or a trace.jsonl. For each decision it says when its subject is sharp in either run; then how far
            focus is apart at most. Live, a rack begins with its decision; with `mode: post` it ends there. To have both:
              rackfocus test Scenarios/enters.yaml -o live
              rackfocus test Scenarios/enters.yaml --mode post -o post
            """,
        options: [.init("--help", "-h", meaning: "this text")],
        example: "rackfocus diff live post")

    private let comparison: TraceComparison

    init(_ arguments: inout Arguments) throws {
        let (first, second) = (
            try arguments.positional("the first RUN"), try arguments.positional("the second RUN")
        )
        try arguments.finish()
        comparison = try TraceComparison(Self.trace(of: first), named: first, with: Self.trace(of: second), named: second)
    }

    func run() throws { StandardOutput.print(comparison.text) }

    private static func trace(of run: String) throws -> String {
        guard FileManager.default.fileExists(atPath: run) else { throw TraceComparison.BadTrace(run, "there is no such file or folder") }
        let scenarios = scenarios(in: run)
        for path in [run, run + "/trace.jsonl"] + (scenarios.count == 1 ? ["\(run)/\(scenarios[0])/trace.jsonl"] : []) {
            if let data = FileManager.default.contents(atPath: path) { return String(decoding: data, as: UTF8.self) }
        }
        guard let example = scenarios.first else { throw TraceComparison.BadTrace(run, "there is no trace.jsonl in it, nor in a folder of it") }
        throw TraceComparison.BadTrace(run, "holds the results of \(scenarios.count) scenarios; give the folder of one, like \(run)/\(example)")
    }

    /// Folders of scenarios among the results of a test run.
    private static func scenarios(in run: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: run)) ?? []
        return names.filter { FileManager.default.fileExists(atPath: "\(run)/\($0)/trace.jsonl") }.sorted()
    }
}

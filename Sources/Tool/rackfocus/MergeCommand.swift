import Foundation
import RackfocusKit
import ScenarioResults
import Support

/// `rackfocus merge`: the results of shards, as if they had been one run.
struct MergeCommand: Command {
    static let help = Help(
        name: "merge",
        summary: "Join the results of the shards of a test run.",
        usage: "merge DIR… -o DIR",
        discussion: """
            Each DIR is the --output of one shard. Their scenario directories are copied, and manifest.json, summary.json and junit.xml
            written, byte for byte as one run would have left them. Shards, scenarios and files are compared with each manifest.json:
            what is missing, double or altered is named, nothing is written, and the exit code is 66. Else it is the worst of all.
            """,
        options: [
            .init("--output", "-o", value: "DIR", meaning: "where the joined results go; new or empty"),
            .init("--force", meaning: "replace earlier results in it; other files are never replaced"),
            .init("--help", "-h", meaning: "this text"),
        ],
        example: "rackfocus merge shard-1 shard-2 -o results")

    private let parts: [String]
    private let output: String
    private let replacesExisting: Bool

    init(_ arguments: inout Arguments) throws {
        var parts = [try arguments.positional("DIR")]
        while let part = arguments.optionalPositional() { parts.append(part) }
        self.parts = parts
        output = try arguments.required("--output")
        replacesExisting = arguments.flag("--force")
    }

    var inputs: [String] { parts }
    var outputs: [String] { [output] }

    func run() throws {
        OutputDirectory.removeOrphans(beside: output)
        let directory = try OutputDirectory(path: output, replacingExisting: replacesExisting, isFlushed: false)
        var merge = try ResultsMerge(of: parts)
        let report = try merge.write(to: directory)
        try directory.commit()
        StandardOutput.print("\(report.passed) of \(report.results.count) passed; results in \(output)")
        if report.verdict != .passed { throw TestsFailed(verdict: report.verdict) }
    }
}

import Foundation
import RackfocusKit

/// `rackfocus merge`: the results of shards, as if they had been one run.
struct MergeCommand: Command {
    static let help = Help(
        name: "merge",
        summary: "Join the results of the shards of a test run.",
        usage: "merge DIR… -o DIR",
        discussion: """
            Each DIR is the --output of one shard. Their scenario directories are copied, and summary.json and junit.xml written,
            byte for byte as one run would have left them. The exit code is the worst of all.
            """,
        options: [
            .init("--output", "-o", value: "DIR", meaning: "where the joined results go; must not exist"),
            .init("--force", meaning: "replace it when it does"),
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

    func run() throws {
        let directory = try OutputDirectory(path: output, replacingExisting: replacesExisting)
        var (results, owners): ([TestResult], [String: String]) = ([], [:])
        for part in parts {
            guard FileManager.default.fileExists(atPath: part + "/summary.json") else {
                throw UsageError("\(part) is no result of `rackfocus test`: it has no summary.json")
            }
            for name in try FileManager.default.contentsOfDirectory(atPath: part).sorted() {
                let path = "\(part)/\(name)/result.json"
                guard FileManager.default.fileExists(atPath: path) else { continue }
                guard let result = TestResult.read(path) else {
                    throw UsageError("\(path) is no result of `rackfocus test`: run its scenario again, with --resume")
                }
                if let other = owners[result.id] { throw UsageError("\(result.id) is in \(other) and in \(part)") }
                owners[result.id] = part
                try FileManager.default.copyItem(atPath: "\(part)/\(name)", toPath: "\(directory.temporaryPath)/\(name)")
                results.append(result)
            }
        }
        let report = TestReport(results)
        for file in try report.files() { try directory.write(file.data, to: file.name) }
        try directory.commit()
        let passed = results.filter { $0.verdict == .passed }.count
        print("\(passed) of \(results.count) passed; results in \(output)")
        if report.verdict != .passed { throw TestsFailed(verdict: report.verdict) }
    }
}

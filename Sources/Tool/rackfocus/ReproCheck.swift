import Foundation
import RackfocusKit
import ScenarioResults
import Support

/// Runs a plan twice more in other processes, with other hash seeds, job counts and machine code, and compares the traces.
struct ReproCheck {
    private let options: TestRun.Options

    init(_ options: TestRun.Options) { self.options = options }

    private static let ways: [(name: String, jobs: Int, environment: [String: String])] = [
        ("1 job, fixed hash seed", 1, ["SWIFT_DETERMINISTIC_HASHING": "1"]),
        ("3 jobs, random hash seeds, without AVX2 and FMA", 3, ["GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA"]),
    ]

    /// The results whose traces do not repeat, with a failure for each way in which they do not.
    func failures(of results: [TestResult]) throws -> [TestResult] {
        var again = options
        (again.verifies, again.resumes, again.blesses, again.renders) = (false, false, false, false)
        var failed = results
        for way in Self.ways {
            let scratch = FileManager.default.temporaryDirectory.appending(path: "rackfocus-repro-\(UUID().uuidString)").path
            defer { try? FileManager.default.removeItem(atPath: scratch) }
            (again.output, again.jobs) = (scratch, way.jobs)
            try ToolProcess.run(["test", "--jobs", String(way.jobs)] + again.arguments, environment: way.environment)
            for index in results.indices {
                let result = results[index]
                let other = try TestResult.read("\(scratch)/\(result.slug)/result.json")
                guard other?.trace != result.trace else { continue }
                let (old, new) = (try trace(options.output, result), try trace(scratch, result))
                failed[index].fail(.notReproducible, "another trace with \(way.name)\n\(GoldenTrace.difference(old, new))")
            }
        }
        return failed.indices.filter { failed[$0] != results[$0] }.map { failed[$0] }
    }

    private func trace(_ directory: String, _ result: TestResult) throws -> String {
        try FileContents.readIfThere("\(directory)/\(result.slug)/trace.jsonl").map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

/// This tool in another process.
enum ToolProcess {
    /// Path of the tool.
    static var path: String { ChildProcess.runningProgram.path }

    /// Runs it to its end; what it prints goes nowhere, but for errors.
    static func run(_ arguments: [String], environment: [String: String]) throws {
        let nowhere = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(nowhere) }
        let child = try ChildProcess(
            path, arguments, environment: environment, input: nowhere, output: nowhere, errors: STDERR_FILENO, deathSignal: SIGTERM)
        child.wait()
    }
}

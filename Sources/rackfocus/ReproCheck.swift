import Foundation
import RackfocusKit

/// Runs a plan twice more in other processes, with other hash seeds, job counts and machine code, and compares the traces.
struct ReproCheck {
    private let options: TestRun.Options
    private let plan: TestPlan

    init(_ options: TestRun.Options, _ plan: TestPlan) { (self.options, self.plan) = (options, plan) }

    private static let ways: [(name: String, jobs: Int, environment: [String: String])] = [
        ("1 job, fixed hash seed", 1, ["SWIFT_DETERMINISTIC_HASHING": "1"]),
        ("3 jobs, random hash seeds, without AVX2 and FMA", 3, ["GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA"]),
    ]

    /// Adds a failure to every result whose trace does not repeat.
    func settle(_ results: inout [TestResult]) throws {
        var again = options
        (again.verifies, again.resumes, again.blesses, again.renders) = (false, false, false, false)
        for way in Self.ways {
            let scratch = FileManager.default.temporaryDirectory.appending(path: "rackfocus-repro-\(UUID().uuidString)").path
            defer { try? FileManager.default.removeItem(atPath: scratch) }
            let words = ["--output", scratch, "--jobs", String(way.jobs)] + (try TestRun(again).arguments)
            try ToolProcess(words, environment: way.environment, isQuiet: true).wait()
            for index in results.indices {
                let result = results[index]
                let other = TestResult.read("\(scratch)/\(result.slug)/result.json")
                guard other?.trace != result.trace else { continue }
                let (old, new) = (trace(options.output, result), trace(scratch, result))
                results[index].fail(.notReproducible, "another trace with \(way.name)\n\(GoldenTrace.difference(old, new))")
                print(results[index].text)
            }
        }
    }

    private func trace(_ directory: String, _ result: TestResult) -> String {
        FileManager.default.contents(atPath: "\(directory)/\(result.slug)/trace.jsonl").map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

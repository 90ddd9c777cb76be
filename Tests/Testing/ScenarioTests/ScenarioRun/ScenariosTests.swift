import Foundation
import Testing

@testable import RunReport
@testable import ScenarioFormat
@testable import ScenarioRun

@Suite("The scenarios")
struct ScenariosTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Scenarios").path

    /// Every file of `Scenarios/` that is no fragment.
    static let files: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".yaml") && !$0.hasPrefix("_") }.sorted()
    }()

    @Test("are many")
    func corpus() { #expect(Self.files.count >= 35) }

    @Test("hold, every point of them", arguments: files)
    func holds(file: String) throws {
        for scenario in try ScenarioFile.loadAll(path: "\(Self.folder)/\(file)") {
            var outcome = try ScenarioRunner(scenario).run()
            try GoldenTrace(of: scenario)?.settle(&outcome, blesses: false, isStrict: true)
            #expect(outcome.failures == [], "\(scenario.variant)")
            #expect(outcome.verdict == .passed)
            #expect(outcome.frames > 0)
        }
    }

    /// Through the session's threads an interruption begins in the middle of a frame under way, so those files have one way only.
    @Test("leave the same trace through the session's threads", arguments: files.filter { !$0.hasPrefix("captures-") })
    func threaded(file: String) throws {
        for scenario in try ScenarioFile.loadAll(path: "\(Self.folder)/\(file)").prefix(2) {
            let inline = try ScenarioRunner(scenario, tracesOnly: true).run()
            let threaded = try ScenarioRunner(scenario, tracesOnly: true, isThreaded: true).run()
            #expect(inline.trace == threaded.trace, "\(scenario.variant)")
        }
    }

    @Test("begin with what they protect", arguments: files)
    func explained(file: String) throws {
        let text = try String(contentsOfFile: "\(Self.folder)/\(file)", encoding: .utf8)
        #expect(text.hasPrefix("# "))
        #expect(file == "demo.yaml" || text.hasPrefix("# Protects "))
    }
}

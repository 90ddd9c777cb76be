import Foundation
import FuzzSupport
import TestSupport
import Testing

@testable import RunReport
@testable import ScenarioFormat
@testable import ScenarioResults
@testable import ScenarioRun

@Suite("Scenario texts and traces, changed by chance")
struct ScenarioTextFuzzTests {
    @Test("a scenario is read, or refused at a place of it")
    func scenarios() throws {
        let files = try Checkout.scenarioFiles.map { try String(contentsOfFile: "\(Checkout.scenarios)/\($0)", encoding: .utf8) }
        let mutator = try ScenarioTextMutator(files + [everything])
        try FuzzRun("scenario-text", count: 2000)({ mutator(&$0) }) { input, seed in
            do throws(ScenarioError) {
                _ = try ScenarioFile.parseAll(String(decoding: input, as: UTF8.self), path: "\(Checkout.scenarios)/fuzz.yaml")
            } catch { #expect(error.location != nil && error.description.contains(error.message), "seed \(seed): \(error)") }
        }
    }

    @Test("two traces are compared, or one is refused")
    func traces() throws {
        let scenario = try ScenarioFile.load(path: "\(Checkout.scenarios)/strong-to-weak.yaml")
        let trace = try ScenarioRunner(scenario, tracesOnly: true).run().trace
        let lines = trace.split(separator: "\n")
        let decisions = lines.filter { $0.contains("\"why\"") }.map { String($0).replacing(/,"objects":.*/, with: "}") }
        let sample = ([String(lines[0])] + decisions.prefix(2)).joined(separator: "\n")
        let mutator = TextMutator([sample])
        try FuzzRun("trace", count: 2000)({ mutator(&$0) }) { input, seed in
            let text = String(decoding: input, as: UTF8.self)
            do {
                let comparison = try TraceComparison(text, named: "a", with: sample, named: "b")
                #expect(!comparison.text.isEmpty, "seed \(seed)")
            } catch let error as TraceComparison.BadTrace { #expect(error.name == "a", "seed \(seed)") }
        }
    }
}

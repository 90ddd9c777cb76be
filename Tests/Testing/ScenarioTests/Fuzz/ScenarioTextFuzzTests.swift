import Foundation
import FuzzSupport
import TestSupport
import Testing

@testable import Scenario

@Suite("Scenario texts and traces, changed by chance")
struct ScenarioTextFuzzTests {
    @Test("a scenario is read, or refused at a place of it")
    func scenarios() throws {
        let files = try Checkout.scenarioFiles.map { try String(contentsOfFile: "\(Checkout.scenarios)/\($0)", encoding: .utf8) }
        let mutator = TextMutator(files + [everything])
        try FuzzRun("scenario-text", count: 2000)({ mutator(&$0) }) { input, seed in
            do throws(ScenarioError) {
                _ = try ScenarioFile.parseAll(String(decoding: input, as: UTF8.self), path: "\(Checkout.scenarios)/fuzz.yaml")
            } catch { #expect(!error.message.isEmpty && error.location != nil, "seed \(seed): \(error)") }
        }
    }

    @Test("two traces are compared, or one is refused")
    func traces() throws {
        let scenario = try ScenarioFile.load(path: "\(Checkout.scenarios)/strong-to-weak.yaml")
        let trace = try ScenarioRunner(scenario, tracesOnly: true).run().trace
        let some = trace.split(separator: "\n").enumerated().filter { $0.offset < 3 || $0.element.contains("\"why\"") }.map(\.element)
        let sample = some.joined(separator: "\n")
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

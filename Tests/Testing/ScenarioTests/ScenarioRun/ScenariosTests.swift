import Foundation
import TestSupport
import Testing

@testable import RunReport
@testable import ScenarioFormat
@testable import ScenarioResults
@testable import ScenarioRun

@Suite("The scenarios")
struct ScenariosTests {
    @Test("are many")
    func corpus() { #expect(Checkout.scenarioFiles.count >= 35) }

    @Test("hold, every point of them", arguments: Checkout.scenarioFiles)
    func holds(file: String) throws {
        for scenario in try ScenarioFile.loadAll(path: "\(Checkout.scenarios)/\(file)") {
            var outcome = try ScenarioRunner(scenario).run()
            try GoldenTrace(of: scenario)?.check(&outcome, blesses: false, isStrict: true)
            #expect(outcome.failures == [], "\(scenario.variant)")
            #expect(outcome.verdict == .passed)
            #expect(outcome.frames > 0)
        }
    }

    /// Through the session's threads an interruption begins in the middle of a frame under way, so those files have one way only.
    @Test("leave the same trace through the session's threads", arguments: Checkout.scenarioFiles.filter { !$0.hasPrefix("captures-") })
    func threaded(file: String) throws {
        for scenario in try ScenarioFile.loadAll(path: "\(Checkout.scenarios)/\(file)").prefix(2) {
            let inline = try ScenarioRunner(scenario, tracesOnly: true).run()
            let threaded = try ScenarioRunner(scenario, tracesOnly: true, isThreaded: true).run()
            #expect(inline.trace == threaded.trace, "\(scenario.variant)")
        }
    }

    @Test("begin with what they protect", arguments: Checkout.scenarioFiles)
    func explained(file: String) throws {
        let text = try String(contentsOfFile: "\(Checkout.scenarios)/\(file)", encoding: .utf8)
        #expect(text.hasPrefix("# "))
        #expect(file == "demo.yaml" || text.hasPrefix("# Protects "))
    }
}

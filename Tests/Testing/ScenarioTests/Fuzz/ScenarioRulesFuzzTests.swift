import Foundation
import FuzzSupport
import TestSupport
import Testing

@testable import RunReport
@testable import ScenarioFormat
@testable import ScenarioResults
@testable import ScenarioRun

@Suite("Rules that always hold, in scenarios edited by chance")
struct ScenarioRulesFuzzTests {
    /// Longer runs are left out.
    private static let mostFrames = 600

    private func samples() throws -> [(file: String, text: String)] {
        try Checkout.scenarioFiles.map { ($0, try String(contentsOfFile: "\(Checkout.scenarios)/\($0)", encoding: .utf8)) }
    }

    @Test("hold whatever is edited, or the text is refused in words")
    func hold() throws {
        let mutator = try ScenarioMutator(try samples())
        try FuzzRun("scenario-rules", count: 300)({ generator in
            let (file, text) = mutator(&generator)
            return Data("\(file)\n\(text)".utf8)
        }) { input, seed in
            let lines = String(decoding: input, as: UTF8.self).split(separator: "\n", maxSplits: 1).map(String.init)
            let scenarios: [ScenarioFile]
            do throws(ScenarioError) {
                scenarios = try ScenarioFile.parseAll(lines[1], path: "\(Checkout.scenarios)/\(lines[0])")
            } catch { return }
            let scenario = scenarios[Int(seed % UInt64(scenarios.count))]
            guard let frames = scenario.clip.frameCount, frames <= Self.mostFrames else { return }
            let outcome = try ScenarioRunner(scenario, tracesOnly: true).run(timeLimit: 20)
            // That one takes too long is for the fuzz run to say, which knows a busy machine.
            let isWhole = ![.invariantBroken, .internal].contains(outcome.verdict)
            let told = outcome.failures.filter { $0.message.contains("invariant") }.prefix(3).map(\.message)
            #expect(isWhole, "seed \(seed): \(told)\n\(lines[0])\n\(lines[1])")
        }
    }
}

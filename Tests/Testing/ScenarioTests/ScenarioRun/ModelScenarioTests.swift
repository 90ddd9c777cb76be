import Focus
import Foundation
import TestSupport
import Testing

@testable import ReferenceModel
@testable import RunReport
@testable import ScenarioFormat
@testable import ScenarioResults
@testable import ScenarioRun

/// Scenario file of a disagreement between focus puller and reference model, for the tools.
@Suite("The reference model's sequences as scenarios")
struct ModelScenarioTests {
    private func outcome(_ steps: [EngineComparison.Step], _ comparison: EngineComparison) throws -> (
        scenario: ScenarioFile, outcome: ScenarioOutcome
    ) {
        let scratch = try Scratch()
        let text = steps.scenario("it's [\"1 weak entered\"], the model: []", in: comparison)
        let scenario = try ScenarioFile.load(path: scratch.write(text, to: "model.yaml"))
        return (scenario, try ScenarioRunner(scenario).run())
    }

    @Test("are read and played to their end", arguments: 1...12)
    func played(seed: Int) throws {
        let comparison = EngineComparison(population: Population(seed: seed), frameTime: 33_333_333)
        let steps = [EngineComparison.Step](seed: seed, count: 20, in: comparison.population)
        let (scenario, outcome) = try outcome(steps, comparison)
        #expect(outcome.failures == [])
        #expect(outcome.verdict == .passed)
        #expect(outcome.frames == steps.reduce(0) { $0 + $1.frames })
        let silent: Set<Event> = [.wait, .anaReappears, .anaLooksAway, .anaLooksBack]
        #expect(scenario.timeline.count >= steps.count { !silent.contains($0.event) })
    }

    @Test("are shrunk to what goes wrong in them: an engine that gives up too early, and somebody hides", arguments: 1...2)
    func shrunk(seed: Int) throws {
        var impatient = FocusTuning()
        impatient.weakLost = 300_000_000
        let comparison = EngineComparison(population: Population(kinds: [.anaHides, .anaReappears, .wait]), engine: impatient)
        let steps = [EngineComparison.Step](seed: seed, count: 12, in: comparison.population)
        #expect(steps.fault(in: comparison) != nil)
        #expect(steps.fault(in: EngineComparison(population: comparison.population)) == nil)
        let short = steps.shrunk(in: comparison)
        #expect(short.map(\.event) == [.wait, .anaHides])
        #expect(short.fault(in: comparison) != nil)
        #expect(try outcome(short, comparison).outcome.verdict == .passed)
    }

    @Test("make the same decisions as the model", arguments: [Event.tapBenStrong, .tapBenBody, .tapAna, .anaHides, .wait])
    func decisions(_ event: Event) throws {
        let steps: [EngineComparison.Step] = [
            .init(event: .wait, frames: 6), .init(event: .benEnters, frames: 20), .init(event: event, frames: 10),
            .init(event: .anaLosesFace, frames: 30), .init(event: .anaShowsFace, frames: 20), .init(event: .benLeaves, frames: 20),
        ]
        let comparison = EngineComparison()
        var model = comparison
        for step in steps { #expect(model.play(step) == nil) }
        #expect(try outcome(steps, comparison).outcome.decisionLines() == model.decided.map(\.line))
    }
}

extension FocusModel.Entry {
    fileprivate var line: String {
        let name = subject.map { $0 == Population.anaFace || $0 == Population.anaBody ? "ana" : "ben" } ?? "-"
        return "\(time / 1_000_000) ms \(name) \(mode) \(isUser ? "user" : "\(why)")"
    }
}

extension ScenarioOutcome {
    /// A line for each decision of the run.
    fileprivate func decisionLines() throws -> [String] {
        struct Decision: Decodable {
            var t: Int64
            var why: String
            var label: String?
            var mode: String
            var user: Bool
        }
        struct Decisions: Decodable { var base, user: [Decision] }
        let file = try #require(files.first { $0.name == "decisions.json" })
        let all = try JSONDecoder().decode(Decisions.self, from: file.data)
        let decisions = (all.base + all.user).sorted { $0.t < $1.t }
        return decisions.map { "\($0.t / 1_000_000) ms \($0.label ?? "-") \($0.mode) \($0.user ? "user" : $0.why)" }
    }
}

import Focus
import Foundation
import Testing

@testable import ReferenceModel
@testable import RunReport
@testable import ScenarioFormat
@testable import ScenarioRun

/// What is left of a disagreement between focus puller and reference model: a file for the tools.
@Suite("The reference model's sequences as scenarios")
struct ModelScenarioTests {
    private func outcome(_ beats: [Duel.Beat], _ duel: Duel) throws -> (scenario: ScenarioFile, outcome: ScenarioOutcome) {
        let path = try beats.writeScenario("it's [\"1 weak entered\"], the model: []", in: duel)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let scenario = try ScenarioFile.load(path: path)
        return (scenario, try ScenarioRunner(scenario).run())
    }

    @Test("are read and played to their end", arguments: 1...12)
    func played(seed: Int) throws {
        let duel = Duel(cast: Cast(seed: seed), frameTime: 33_333_333)
        let beats = [Duel.Beat](seed: seed, count: 20, in: duel.cast)
        let (scenario, outcome) = try outcome(beats, duel)
        #expect(outcome.failures == [])
        #expect(outcome.verdict == .passed)
        #expect(outcome.frames == beats.reduce(0) { $0 + $1.frames })
        let silent: Set<Happening> = [.wait, .anaReappears, .anaLooksAway, .anaLooksBack]
        #expect(scenario.timeline.count >= beats.count { !silent.contains($0.happening) })
    }

    @Test("are shrunk to what goes wrong in them: an engine that gives up too early, and somebody hides", arguments: 1...2)
    func shrunk(seed: Int) throws {
        var impatient = FocusTuning()
        impatient.weakLost = 300_000_000
        let duel = Duel(cast: Cast(kinds: [.anaHides, .anaReappears, .wait]), engine: impatient)
        let beats = [Duel.Beat](seed: seed, count: 12, in: duel.cast)
        #expect(beats.fault(in: duel) != nil)
        #expect(beats.fault(in: Duel(cast: duel.cast)) == nil)
        let short = beats.shrunk(in: duel)
        #expect(short.map(\.happening) == [.wait, .anaHides])
        #expect(short.fault(in: duel) != nil)
        #expect(try outcome(short, duel).outcome.verdict == .passed)
    }

    @Test("tell the model's story", arguments: [Happening.tapBenStrong, .tapBenBody, .tapAna, .anaHides, .wait])
    func story(_ happening: Happening) throws {
        let beats: [Duel.Beat] = [
            .init(happening: .wait, frames: 6), .init(happening: .benEnters, frames: 20), .init(happening: happening, frames: 10),
            .init(happening: .anaLosesFace, frames: 30), .init(happening: .anaShowsFace, frames: 20), .init(happening: .benLeaves, frames: 20),
        ]
        let duel = Duel()
        var model = duel
        for beat in beats { #expect(model.play(beat) == nil) }
        #expect(try outcome(beats, duel).outcome.story == model.decided.map(\.line))
    }
}

extension FocusModel.Entry {
    fileprivate var line: String {
        let name = subject.map { $0 == Cast.anaFace || $0 == Cast.anaBody ? "ana" : "ben" } ?? "-"
        return "\(time / 1_000_000) ms \(name) \(mode) \(isUser ? "user" : "\(why)")"
    }
}

extension ScenarioOutcome {
    /// A line for each decision of the run.
    fileprivate var story: [String] {
        struct Decision: Decodable {
            var t: Int64
            var why: String
            var label: String?
            var mode: String
            var user: Bool
        }
        struct Decisions: Decodable { var base, user: [Decision] }
        let data = files.first { $0.name == "decisions.json" }?.data ?? Data()
        guard let told = try? JSONDecoder().decode(Decisions.self, from: data) else { return [] }
        let decisions = (told.base + told.user).sorted { $0.t < $1.t }
        return decisions.map { "\($0.t / 1_000_000) ms \($0.label ?? "-") \($0.mode) \($0.user ? "user" : $0.why)" }
    }
}

import Focus
import Foundation
import Pipeline
import Synchronization
import Testing

@testable import ReferenceModel

/// The engine decides as the model does: time, subject, mode, fixed, why.
@Suite("Engine and reference model")
struct ModelTests {
    private static let deeper = ProcessInfo.processInfo.environment["RACKFOCUS_MODEL_DEPTH"].flatMap { Int($0) }

    /// So many events out of `kinds`, `gap` frames apart.
    struct Tree: Sendable, CustomTestStringConvertible {
        var kinds: [Event]
        var depth: Int
        var gap: Int
        var testDescription: String { "\(depth) events of \(kinds.count) kinds, \(gap) frames apart" }
    }

    /// Twelve kinds five deep and all kinds four deep. `RACKFOCUS_MODEL_DEPTH=5` takes all kinds as deep as that, which lasts minutes; 3 is
    /// quick and less.
    private static let trees: [Tree] = [
        Tree(kinds: Event.core, depth: min((deeper ?? 4) + 1, 5), gap: 6), Tree(kinds: Event.allCases, depth: deeper ?? 4, gap: 5),
        Tree(kinds: Event.allCases, depth: 3, gap: 2), Tree(kinds: Event.allCases, depth: 3, gap: 16),
    ]

    /// Plays every sequence that begins so; returns how many there were, and the first that fails.
    private static func explore(_ comparison: EngineComparison, _ steps: [EngineComparison.Step], depth: Int, gap: Int, settle: Int) -> (
        count: Int, failing: [EngineComparison.Step]?
    ) {
        var count = 0
        for event in comparison.possible {
            var next = comparison
            let isLast = depth == 1
            let step = EngineComparison.Step(event: event, frames: isLast ? settle : gap)
            if next.play(step) != nil { return (count + 1, steps + [step]) }
            count += 1
            guard !isLast else { continue }
            let below = explore(next, steps + [step], depth: depth - 1, gap: gap, settle: settle)
            count += below.count
            if let failing = below.failing { return (count, failing) }
        }
        return (count, nil)
    }

    /// At 10 frames a second every boundary of the tuning (0.1 … 1.5 s) falls on a frame.
    @Test("agree on every sequence of up to five events", arguments: trees)
    func exhaustive(_ tree: Tree) {
        let world = EngineComparison(population: Population(kinds: tree.kinds))
        var start = world
        let opening = EngineComparison.Step(event: .wait, frames: 6)
        #expect(start.play(opening) == nil)
        let (ready, branches) = (start, start.possible)
        let results = Mutex<[(count: Int, failing: [EngineComparison.Step]?)]>(Array(repeating: (0, nil), count: branches.count))
        DispatchQueue.concurrentPerform(iterations: branches.count) { index in
            var comparison = ready
            let step = EngineComparison.Step(event: branches[index], frames: tree.gap)
            let failed = comparison.play(step) != nil
            let below = failed ? (1, [opening, step]) : Self.explore(comparison, [opening, step], depth: tree.depth - 1, gap: tree.gap, settle: 24)
            results.withLock { $0[index] = below }
        }
        let all = results.withLock { $0 }
        #expect(all.map(\.count).reduce(0, +) > 100 || all.contains { $0.failing != nil })
        for failing in all.compactMap(\.failing).prefix(1) { Issue.record("\(Self.report(failing, in: world))") }
        if Self.deeper != nil { print("\(tree.testDescription): \(all.map(\.count).reduce(branches.count, +)) sequences") }
    }

    /// Fault of the shortest such sequence, and the scenario file it was written to.
    private static func report(_ failing: [EngineComparison.Step], in comparison: EngineComparison) -> Comment {
        let shrunk = failing.shrunk(in: comparison)
        let fault = shrunk.fault(in: comparison) ?? "nothing"
        let file = Result { try shrunk.writeScenario(fault, in: comparison) }
        return "\(fault)\nas a scenario: \(file)"
    }

    @Test("agree where a wait is interrupted: ahead, then protected, then ahead again")
    func interrupted() {
        var population = Population()
        (population.ana, population.benNear) = (1.0, 0.9)
        let steps: [EngineComparison.Step] = [
            .init(event: .benEnters, frames: 10), .init(event: .anaLooksAway, frames: 20), .init(event: .tapBen, frames: 1),
            .init(event: .benLooksAway, frames: 6), .init(event: .benLooksBack, frames: 3),
            .init(event: .benLooksAway, frames: 30),
        ]
        #expect(steps.fault(in: EngineComparison(population: population)) == nil)
    }

    @Test("agree on long sequences drawn by chance, at 30 frames a second", arguments: 1...30)
    func random(_ seed: Int) {
        let comparison = EngineComparison(population: Population(seed: seed), frameTime: 33_333_333)
        let steps = [EngineComparison.Step](seed: seed, count: 50, in: comparison.population)
        var trial = comparison
        for index in steps.indices where trial.play(steps[index]) != nil {
            Issue.record("seed \(seed): \(Self.report(Array(steps[...index]), in: comparison))")
            return
        }
    }
}

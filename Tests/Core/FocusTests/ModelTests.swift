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
        var kinds: [Happening]
        var depth: Int
        var gap: Int
        var testDescription: String { "\(depth) events of \(kinds.count) kinds, \(gap) frames apart" }
    }

    /// Twelve kinds five deep and all kinds four deep. `RACKFOCUS_MODEL_DEPTH=5` takes all kinds as deep as that, which lasts minutes; 3 is
    /// quick and less.
    private static let trees: [Tree] = [
        Tree(kinds: Happening.core, depth: min((deeper ?? 4) + 1, 5), gap: 6), Tree(kinds: Happening.allCases, depth: deeper ?? 4, gap: 5),
        Tree(kinds: Happening.allCases, depth: 3, gap: 2), Tree(kinds: Happening.allCases, depth: 3, gap: 16),
    ]

    /// Plays every sequence that begins so; returns how many there were, and the first that fails.
    private static func explore(_ duel: Duel, _ beats: [Duel.Beat], depth: Int, gap: Int, settle: Int) -> (count: Int, failing: [Duel.Beat]?) {
        var count = 0
        for happening in duel.possible {
            var next = duel
            let isLast = depth == 1
            let beat = Duel.Beat(happening: happening, frames: isLast ? settle : gap)
            if next.play(beat) != nil { return (count + 1, beats + [beat]) }
            count += 1
            guard !isLast else { continue }
            let below = explore(next, beats + [beat], depth: depth - 1, gap: gap, settle: settle)
            count += below.count
            if let failing = below.failing { return (count, failing) }
        }
        return (count, nil)
    }

    /// At 10 frames a second every boundary of the tuning (0.1 … 1.5 s) falls on a frame.
    @Test("agree on every sequence of up to five events", arguments: trees)
    func exhaustive(_ tree: Tree) {
        let world = Duel(cast: Cast(kinds: tree.kinds))
        var start = world
        let opening = Duel.Beat(happening: .wait, frames: 6)
        #expect(start.play(opening) == nil)
        let (ready, branches) = (start, start.possible)
        let results = Mutex<[(count: Int, failing: [Duel.Beat]?)]>(Array(repeating: (0, nil), count: branches.count))
        DispatchQueue.concurrentPerform(iterations: branches.count) { index in
            var duel = ready
            let beat = Duel.Beat(happening: branches[index], frames: tree.gap)
            let failed = duel.play(beat) != nil
            let below = failed ? (1, [opening, beat]) : Self.explore(duel, [opening, beat], depth: tree.depth - 1, gap: tree.gap, settle: 24)
            results.withLock { $0[index] = below }
        }
        let all = results.withLock { $0 }
        #expect(all.map(\.count).reduce(0, +) > 100 || all.contains { $0.failing != nil })
        for failing in all.compactMap(\.failing).prefix(1) { Issue.record("\(Self.report(failing, in: world))") }
        if Self.deeper != nil { print("\(tree.testDescription): \(all.map(\.count).reduce(branches.count, +)) sequences") }
    }

    /// What goes wrong in the shortest such sequence, and the scenario file it was written to.
    private static func report(_ failing: [Duel.Beat], in duel: Duel) -> Comment {
        let shrunk = failing.shrunk(in: duel)
        let fault = shrunk.fault(in: duel) ?? "nothing"
        let file = Result { try shrunk.writeScenario(fault, in: duel) }
        return "\(fault)\nas a scenario: \(file)"
    }

    @Test("agree where a wait is interrupted: ahead, then protected, then ahead again")
    func interrupted() {
        var cast = Cast()
        (cast.ana, cast.benNear) = (1.0, 0.9)
        let beats: [Duel.Beat] = [
            .init(happening: .benEnters, frames: 10), .init(happening: .anaLooksAway, frames: 20), .init(happening: .tapBen, frames: 1),
            .init(happening: .benLooksAway, frames: 6), .init(happening: .benLooksBack, frames: 3),
            .init(happening: .benLooksAway, frames: 30),
        ]
        #expect(beats.fault(in: Duel(cast: cast)) == nil)
    }

    @Test("agree on long sequences drawn by chance, at 30 frames a second", arguments: 1...30)
    func random(_ seed: Int) {
        let duel = Duel(cast: Cast(seed: seed), frameTime: 33_333_333)
        let beats = [Duel.Beat](seed: seed, count: 50, in: duel.cast)
        var trial = duel
        for index in beats.indices where trial.play(beats[index]) != nil {
            Issue.record("seed \(seed): \(Self.report(Array(beats[...index]), in: duel))")
            return
        }
    }
}

import Focus
import Foundation
import Pipeline

/// Engine and model side by side in one world, with the invariants watched.
struct EngineComparison {
    private(set) var population: Population
    private var engine: FocusEngine
    private var model: FocusModel
    private var watch: InvariantWatch
    /// Nanoseconds.
    let frameTime: Int64
    private var frame: Int64 = 0

    /// Something happens, then so many frames go by.
    struct Step: Sendable, Equatable {
        var event: Event
        var frames: Int
    }

    /// An `engine` that is tuned otherwise than the model goes wrong.
    init(population: Population = Population(), tuning: FocusTuning = FocusTuning(), engine tuned: FocusTuning? = nil, frameTime: Int64 = 100_000_000)
    {
        self.population = population
        self.frameTime = frameTime
        engine = FocusEngine(tuning: tuned ?? tuning)
        model = FocusModel(tuning: tuning)
        watch = InvariantWatch(tuning: tuning)
    }

    var possible: [Event] { population.possible }
    /// Decisions of the model so far.
    var decided: [FocusModel.Entry] { model.log }

    /// Plays one step; returns what went wrong, nil when nothing did.
    mutating func play(_ step: Step) -> String? {
        var request = population.apply(step.event)
        for _ in 0..<step.frames {
            let (time, seen) = (frame * frameTime, population.detections())
            let requests = [request].compactMap { $0 }
            request = nil
            frame += 1
            let told = model.log.count
            let outcome = engine.step(at: time, detections: seen, requests: requests, ambientDisparity: 0.5)
            let refused = model.step(at: time, detections: seen, requests: requests)
            let expected = Array(model.log[told...])
            let at = "at \(Double(time / 1_000_000) / 1000) s"
            guard outcome.decisions.count == expected.count, zip(outcome.decisions, expected).allSatisfy({ $0.is($1) }), outcome.refused == refused
            else { return "\(at) the engine decides \(Self.list(outcome.decisions)), the model \(Self.list(expected))" }
            if let breach = watch.breach(of: outcome, seen: seen, at: time) { return "\(at) \(breach)" }
        }
        return nil
    }

    private static func list(_ decisions: [FocusDecision]) -> [String] {
        decisions.map { "\($0.subject.map(String.init) ?? "-") \($0.mode) \($0.why)" }
    }
    private static func list(_ entries: [FocusModel.Entry]) -> [String] {
        entries.map { "\($0.subject.map(String.init) ?? "-") \($0.mode) \($0.why)" }
    }
}

extension FocusDecision {
    fileprivate func `is`(_ entry: FocusModel.Entry) -> Bool {
        time == entry.time && subject == entry.subject && mode == entry.mode && isFixed == entry.isFixed && isUserDecision == entry.isUser
            && why == entry.why
    }
}

extension [EngineComparison.Step] {
    /// The sequence with waits for the steps that cannot happen.
    func possible(in population: Population) -> [EngineComparison.Step] {
        var population = population
        return map { step in
            guard population.possible.contains(step.event) else { return EngineComparison.Step(event: .wait, frames: step.frames) }
            _ = population.apply(step.event)
            return step
        }
    }

    /// First fault of this sequence, nil when there is none; steps that cannot happen are waits.
    func fault(in comparison: EngineComparison) -> String? {
        var comparison = comparison
        for step in possible(in: comparison.population) { if let fault = comparison.play(step) { return fault } }
        return nil
    }

    /// The sequence without what its fault does not need, as long as something still goes wrong: halves are left out, then less and less, then
    /// waits are cut short. It ends with what it has after playing so many `frames`, so that a failing run is over soon.
    func shrunk(in comparison: EngineComparison, playing frames: Int = 20_000) -> [EngineComparison.Step] {
        var (shortest, played) = (self, 0)
        func takes(_ trial: [EngineComparison.Step]) -> Bool {
            played += trial.reduce(0) { $0 + $1.frames }
            guard played <= frames, trial.fault(in: comparison) != nil else { return false }
            shortest = trial
            return true
        }
        var size = count / 2
        while size > 0, played <= frames {
            var (start, isShorter) = (0, false)
            while start + size <= shortest.count {
                var without = shortest
                without.removeSubrange(start..<start + size)
                var merged = without
                if start > 0 { merged[start - 1].frames += shortest[start..<start + size].reduce(0) { $0 + $1.frames } }
                if takes(without) || (start > 0 && takes(merged)) { isShorter = true } else { start += size }
            }
            if size > 1 || !isShorter { size /= 2 }
        }
        for index in shortest.indices.reversed() {
            var cut = shortest[index].frames / 2
            while cut > 0 {
                var trial = shortest
                trial[index].frames -= cut
                if trial[index].frames < 1 || !takes(trial) { cut /= 2 }
            }
        }
        return shortest.possible(in: comparison.population)
    }
}

import Focus
import Foundation
import Pipeline

/// Engine and model side by side in one world, with the invariants watched.
struct Duel {
    private(set) var cast: Cast
    private var engine: FocusEngine
    private var model: FocusModel
    private var watch: InvariantWatch
    /// Nanoseconds.
    let frameTime: Int64
    private var frame: Int64 = 0

    /// Something happens, then so many frames go by.
    struct Beat: Sendable, Equatable {
        var happening: Happening
        var frames: Int
    }

    /// An `engine` that is tuned otherwise than the model goes wrong.
    init(cast: Cast = Cast(), tuning: FocusTuning = FocusTuning(), engine tuned: FocusTuning? = nil, frameTime: Int64 = 100_000_000) {
        self.cast = cast
        self.frameTime = frameTime
        engine = FocusEngine(tuning: tuned ?? tuning)
        model = FocusModel(tuning: tuning)
        watch = InvariantWatch(tuning: tuning)
    }

    var possible: [Happening] { cast.possible }
    /// What the model has decided so far.
    var decided: [FocusModel.Entry] { model.log }

    /// What went wrong, if anything.
    mutating func play(_ beat: Beat) -> String? {
        var request = cast.happen(beat.happening)
        for _ in 0..<beat.frames {
            let (time, seen) = (frame * frameTime, cast.detections())
            let requests = [request].compactMap { $0 }
            request = nil
            frame += 1
            let told = model.log.count
            let step = engine.step(at: time, detections: seen, requests: requests, ambientDisparity: 0.5)
            let refused = model.step(at: time, detections: seen, requests: requests)
            let expected = Array(model.log[told...])
            let at = "at \(Double(time / 1_000_000) / 1000) s"
            guard step.decisions.count == expected.count, zip(step.decisions, expected).allSatisfy({ $0.is($1) }), step.refused == refused
            else { return "\(at) the engine decides \(Self.list(step.decisions)), the model \(Self.list(expected))" }
            if let breach = watch.breach(of: step, seen: seen, at: time) { return "\(at) \(breach)" }
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

extension [Duel.Beat] {
    /// The sequence with waits for the beats that cannot happen.
    func possible(in cast: Cast) -> [Duel.Beat] {
        var cast = cast
        return map { beat in
            guard cast.possible.contains(beat.happening) else { return Duel.Beat(happening: .wait, frames: beat.frames) }
            _ = cast.happen(beat.happening)
            return beat
        }
    }

    /// What goes wrong in this sequence, if anything; beats that cannot happen are waits.
    func fault(in duel: Duel) -> String? {
        var duel = duel
        for beat in possible(in: duel.cast) { if let fault = duel.play(beat) { return fault } }
        return nil
    }

    /// The sequence without what its fault does not need, as long as something still goes wrong: halves are left out, then less and less, then
    /// waits are cut short. It ends with what it has after playing so many `frames`, so that a failing run is over soon.
    func shrunk(in duel: Duel, playing frames: Int = 20_000) -> [Duel.Beat] {
        var (shortest, played) = (self, 0)
        func takes(_ trial: [Duel.Beat]) -> Bool {
            played += trial.reduce(0) { $0 + $1.frames }
            guard played <= frames, trial.fault(in: duel) != nil else { return false }
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
        return shortest.possible(in: duel.cast)
    }
}

import Focus
import Foundation
import Pipeline

/// Engine and model side by side in one world, with the invariants watched.
struct Duel {
    private var cast: Cast
    private var engine: FocusEngine
    private var model: FocusModel
    private var watch: InvariantWatch
    private let frameTime: Int64
    private var frame: Int64 = 0

    /// Something happens, then so many frames go by.
    struct Beat: Sendable, Equatable {
        var happening: Happening
        var frames: Int
    }

    init(cast: Cast = Cast(), tuning: FocusTuning = FocusTuning(), frameTime: Int64 = 100_000_000) {
        self.cast = cast
        self.frameTime = frameTime
        engine = FocusEngine(tuning: tuning)
        model = FocusModel(tuning: tuning)
        watch = InvariantWatch(tuning: tuning)
    }

    var possible: [Happening] { cast.possible }

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
    /// What goes wrong in this sequence, if anything; beats that cannot happen are waits.
    func fault(in duel: Duel) -> String? {
        var duel = duel
        for beat in self {
            let isPossible = duel.possible.contains(beat.happening)
            if let fault = duel.play(isPossible ? beat : Duel.Beat(happening: .wait, frames: beat.frames)) { return fault }
        }
        return nil
    }

    /// The sequence without what its fault does not need: beats are left out, then waits cut short, as long as something still goes wrong.
    func shrunk(in duel: Duel) -> [Duel.Beat] {
        var shortest = self
        var isShorter = true
        while isShorter {
            isShorter = false
            for index in shortest.indices.reversed() {
                var without = shortest
                without.remove(at: index)
                var merged = without
                if index > 0 { merged[index - 1].frames += shortest[index].frames }
                for trial in [without, merged] where !isShorter && trial.fault(in: duel) != nil { (shortest, isShorter) = (trial, true) }
                guard !isShorter, shortest[index].frames > 1 else { break }
                var cut = shortest
                cut[index].frames -= 1
                if cut.fault(in: duel) != nil { (shortest, isShorter) = (cut, true) }
            }
        }
        return shortest
    }
}

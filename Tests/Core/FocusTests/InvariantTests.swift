import Focus
import Foundation
import Pipeline
import Testing

@testable import ReferenceModel

/// The invariants of the scenario format, on scenes and taps drawn by chance.
@Suite("Invariants, at random")
struct InvariantTests {
    /// People, pets and things that wander, come, go, turn and flicker; every return has a new ID.
    private func scene(_ seed: Int) -> (actors: [Actor], requests: [(Double, FocusRequest)]) {
        let noise = Noise(seed: UInt64(seed) &* 7919)
        var next = 0
        func draw() -> Double {
            next += 1
            return noise.uniform(next)
        }
        func pick<T>(_ values: [T]) -> T { values[Int(draw() * Double(values.count))] }
        var actors: [Actor] = []
        for subject in 0..<5 {
            let kind = pick([Detection.Kind.face, .face, .humanBody, .catBody, .salientObject])
            let (x, drift, near, far) = (0.2 + 0.6 * draw(), 0.4 * (draw() - 0.5), 0.7 + draw(), 1.5 + 2 * draw())
            let (start, turn, turned) = (12 * draw() - 4, 14 * draw(), 0.3 + 3 * draw())
            let stays = 3 + 10 * draw()
            for visit in 0..<2 {
                let (from, until) = (start + Double(visit) * (stays + 2), start + Double(visit) * (stays + 2) + stays)
                let id = 1 + subject * 10 + visit
                var actor = Actor(id: id, group: kind == .salientObject ? -1 : id, kind: kind)
                actor.depth = ramp(far, near, from: from, to: until)
                actor.center = { CGPoint(x: x + drift * ($0 - from) / stays, y: 0.45) }
                actor.yaw = { $0 > turn && $0 < turn + turned ? 140 : 10 }
                actor.isSeen = { time in
                    time >= from && time < until && noise.uniform(100_000 + id * 1000 + Int((time * 30).rounded())) > 0.08
                }
                actor.disparityNoise = { 0.015 * noise.normal(50_000 + id * 1000 + $0) }
                actors.append(actor)
                if kind == .face, subject % 2 == 0 {
                    var body = actor
                    (body.id, body.kind, body.side) = (id + 5, .humanBody, 0.9)
                    body.yaw = { _ in nil }
                    actors.append(body)
                    let isSeen = actor.isSeen
                    actors[actors.count - 2].isSeen = { isSeen($0) && !($0 > turn && $0 < turn + turned) }
                }
            }
        }
        var requests: [(Double, FocusRequest)] = []
        for index in 0..<6 {
            let mode = pick([FocusMode.weak, .strong, .none])
            let fix = FocusRequest.fix(point: CGPoint(x: draw(), y: draw()), disparity: 0.2 + draw(), objectID: 200 + index, mode: mode)
            let request = draw() < 0.25 ? fix : .track(objectID: pick(actors).id, mode: mode)
            requests.append((Double(index) * 3 + 2 * draw(), request))
        }
        let course = RackCourse(begin: 18_500_000_000, over: 600_000_000, ease: .inOut)
        requests.append((18.5, .ordered(.track(objectID: pick(actors).id, mode: .strong), course)))
        return (actors, requests)
    }

    @Test("hold in every scene", arguments: 1...40)
    func invariants(_ seed: Int) {
        let (actors, requests) = scene(seed)
        let tuning = FocusTuning()
        let play = Play(20, actors, requests: requests)
        let automatic = play.decisions.filter { !$0.isUserDecision && $0.why != .groupMember }
        for (earlier, later) in zip(automatic, automatic.dropFirst()) {
            #expect(later.time - earlier.time >= tuning.dwell, "seed \(seed)")
        }
        for (earlier, later) in zip(play.moments, play.moments.dropFirst()) {
            let (a, b) = (earlier.step.state, later.step.state)
            let note: Comment = "seed \(seed), \(later.time) s"
            #expect(abs(b.focusDisparity - a.focusDisparity) < 0.25, note)
            #expect((b.subject == nil) == (b.mode == .none), note)
            if b.subject != a.subject || b.mode != a.mode { #expect(!later.step.decisions.isEmpty, note) }
            if a.isFixed, a.mode == .strong, later.step.decisions.isEmpty { #expect(b.isFixed && b.subject == a.subject, note) }
            if a.isFixed, b.fixedPoint == a.fixedPoint, a.rack == nil { #expect(b.focusDisparity == a.focusDisparity, note) }
            for decision in later.step.decisions where a.mode == .strong && !decision.isUserDecision {
                #expect(!a.isFixed, note)
                expectLeftRightly(a.subject, decision, actors, note)
            }
        }
    }

    /// A strong hold moved by itself: within the group, or because the subject was gone.
    private func expectLeftRightly(_ id: Int?, _ decision: FocusDecision, _ actors: [Actor], _ note: Comment) {
        let time = Double(decision.time) / 1e9
        guard let left = actors.first(where: { $0.id == id }) else { return }
        let group = actors.filter { $0.id == left.id || (left.group > 0 && $0.group == left.group) }
        if decision.why == .groupMember {
            #expect(group.contains { $0.id == decision.subject }, note)
        } else {
            let wasSeen = stride(from: max(0, time - 0.75), through: time, by: 1.0 / 30).contains { moment in
                group.contains { $0.isSeen(moment) }
            }
            #expect(!wasSeen, note)
        }
    }

    @Test("scenes are not empty: all kinds of decisions occur in them")
    func coverage() {
        let whys = (1...40).flatMap { seed in
            let (actors, requests) = scene(seed)
            return Play(20, actors, requests: requests).decisions.map(\.why)
        }
        for why in FocusDecision.Why.allCases { #expect(whys.contains(why), "\(why)") }
    }

    @Test("E21: the same calls give the same bits, in whatever order a frame's detections come", arguments: 1...5)
    func determinism(_ seed: Int) {
        let (actors, requests) = scene(seed)
        let (one, other) = (Play(20, actors, requests: requests), Play(20, actors.reversed(), requests: requests))
        for (a, b) in zip(one.moments, other.moments) { #expect(a.step == b.step, "seed \(seed), \(a.time) s") }
    }
}

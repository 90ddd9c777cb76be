import Focus
import Foundation
import Pipeline
import Testing

@testable import ReferenceModel

@Suite("Automatic choice")
struct AutomaticChoiceTests {
    private func place(_ x: Double, _ y: Double = 0.4) -> (Double) -> CGPoint { { _ in CGPoint(x: x, y: y) } }

    @Test("F1: a subject that enters attracts a rack and is followed")
    func enters() {
        let walk = ramp(3, 1.5, from: 2.5, to: 3.5)
        let play = Play(5, [Actor(id: 1, depth: walk, isSeen: during(1..<9))])
        #expect(play.focusSequence == ["1 weak entered"])
        #expect(nearly(play.time(of: 0), 1.1, 0.04))
        #expect(play.state(at: 1.2).rack != nil)
        #expect(play.state(at: 2).rack == nil)
        #expect(nearly(play.state(at: 2.4).focusDisparity, 1 / 3, 0.001))
        #expect(nearly(play.state(at: 4.9).focusDisparity, 1 / 1.5, 0.005))
    }

    @Test("F2: focus leaves a subject that looks away, after the grace, and comes back when it looks back")
    func looksAwayAndBack() {
        let near = Actor(id: 1, depth: { _ in 1.3 }, yaw: looksAway(2..<4))
        let far = Actor(id: 2, depth: { _ in 2.4 }, center: place(0.3), yaw: { _ in 0 })
        let play = Play(8, [near, far])
        #expect(play.focusSequence == ["1 weak entered", "2 weak facedAway", "1 weak facedBack"])
        #expect(nearly(play.time(of: 1), 2.5, 0.04))
        #expect(nearly(play.time(of: 2), 4.7, 0.1))
    }

    @Test("F2: a glance away shorter than the grace moves nothing")
    func glance() {
        let near = Actor(id: 1, depth: { _ in 1.3 }, yaw: looksAway(2..<2.45))
        let far = Actor(id: 2, depth: { _ in 2.4 }, center: place(0.3), yaw: { _ in 0 })
        #expect(Play(6, [near, far]).focusSequence == ["1 weak entered"])
    }

    @Test("F2: a person whose face is lost while the body stays looks away")
    func backOfTheHead() {
        let face = Actor(id: 1, group: 1, depth: { _ in 1.3 }, isSeen: during(0..<2, 4..<8))
        let body = Actor(id: 2, group: 1, kind: .humanBody, depth: { _ in 1.3 }, center: place(0.5, 0.7), side: 0.9)
        let other = Actor(id: 3, group: 2, depth: { _ in 2.4 }, center: place(0.3))
        let play = Play(8, [face, body, other])
        #expect(play.focusSequence == ["1 weak entered", "2 weak groupMember", "3 weak facedAway", "1 weak facedBack"])
        #expect(nearly(play.time(of: 2), 2.5, 0.05))
    }

    /// Two faces that differ in one thing; the first is the one to choose.
    static var cues: [(String, Actor, Actor)] {
        [
            ("closeness", Actor(id: 8, depth: { _ in 1.5 }), Actor(id: 1, depth: { _ in 2.5 }, side: 0.28 * 2.5 / 1.5)),
            ("size", Actor(id: 8, side: 0.4), Actor(id: 1)),
            ("facing the camera", Actor(id: 8, yaw: { _ in 0 }), Actor(id: 1, yaw: { _ in 120 })),
            ("the middle", Actor(id: 8), Actor(id: 1, center: { _ in CGPoint(x: 0.85, y: 0.4) })),
            ("a face, not a pet", Actor(id: 8), Actor(id: 1, kind: .catBody)),
            ("a face, not a large pet beside it", Actor(id: 8), Actor(id: 1, kind: .catBody, side: 0.9)),
            ("a large pet far in front, not a face", Actor(id: 8, kind: .catBody, depth: { _ in 0.7 }, side: 0.9), Actor(id: 1, depth: { _ in 2.6 })),
            ("a face, not a back beside it", Actor(id: 8), Actor(id: 1, kind: .humanBody, center: { _ in CGPoint(x: 0.5, y: 0.6) }, side: 1.4)),
            ("a pet, not a thing", Actor(id: 8, kind: .dogBody), Actor(id: 1, kind: .salientObject)),
            ("a tie, by object ID", Actor(id: 1), Actor(id: 8)),
        ]
    }

    @Test("F13, E1: prominence has Apple's cues", arguments: cues.indices)
    func prominence(_ index: Int) {
        let (name, chosen, other) = Self.cues[index]
        #expect(Play(1, [other, chosen]).focusSequence == ["\(chosen.id) weak entered"], "\(name)")
        #expect(Play(1, [chosen, other]).focusSequence == ["\(chosen.id) weak entered"], "\(name)")
    }

    @Test("F3, E1: a large cat takes focus from a child once it is far in front, or when the child looks away")
    func catBeforeChild() {
        let cat = { (depth: @escaping (Double) -> Double) in
            Actor(id: 2, kind: .catBody, depth: depth, center: { _ in CGPoint(x: 0.5, y: 0.55) }, side: 0.9, isSeen: { $0 > 1 })
        }
        let child = Actor(id: 1, center: place(0.25), yaw: { _ in 0 })
        #expect(Play(9, [child, cat { _ in 2 }]).focusSequence == ["1 weak entered"])
        let nearer = Play(9, [child, cat(ramp(2, 0.6, from: 5.5, to: 7))])
        #expect(nearer.focusSequence == ["1 weak entered", "2 weak moreProminent"])
        #expect(nearer.time(of: 1) > 6)
        let away = Actor(id: 1, center: place(0.25), yaw: looksAway(5.5..<12))
        #expect(Play(9, [away, cat { _ in 2 }]).focusSequence == ["1 weak entered", "2 weak facedAway"])
    }

    @Test("F13, E1: of two alike, one that moves draws focus")
    func movement() {
        let still = Actor(id: 1, center: place(0.4), isSeen: during(1..<4))
        let walker = Actor(id: 2, center: { CGPoint(x: ramp(0.75, 0.45, from: 0.9, to: 2.4)($0), y: 0.4) }, isSeen: during(1..<4))
        #expect(Play(4, [still, walker]).focusSequence.first == "2 weak entered")
        #expect(Play(4, [still, walker], tuning: .without(\.weightMotion)).focusSequence.first == "1 weak entered")
    }

    @Test("F13, E1: of two alike, the one the detector is surer of draws focus")
    func confidence() {
        let (doubtful, sure) = (Actor(id: 1, confidence: 0.5), Actor(id: 8, confidence: 0.9))
        #expect(Play(1, [doubtful, sure]).focusSequence == ["8 weak entered"])
        #expect(Play(1, [doubtful, sure], tuning: .without(\.weightConfidence)).focusSequence == ["1 weak entered"])
    }

    /// A second before the one in focus is gone.
    static var newcomers: [(String, Actor)] {
        [
            ("came", Actor(id: 8, isSeen: { $0 > 2.2 })), ("turned to the camera", Actor(id: 8, yaw: { $0 < 2.2 ? 120 : 0 })),
        ]
    }

    @Test("F13, E1: of two alike, the one that came or turned to the camera last draws focus", arguments: newcomers.indices)
    func recency(_ index: Int) {
        let (what, last) = Self.newcomers[index]
        let scene = [Actor(id: 1, yaw: { _ in 0 }), last, Actor(id: 5, depth: { _ in 1 }, isSeen: during(0..<3))]
        #expect(Play(5, scene).focusSequence == ["5 weak entered", "8 weak lost"], "\(what)")
        #expect(Play(5, scene, tuning: .without(\.weightRecency)).focusSequence == ["5 weak entered", "1 weak lost"], "\(what)")
        #expect(Play(5, scene, tuning: .without(\.recency)).focusSequence == ["5 weak entered", "1 weak lost"], "\(what)")
    }

    @Test("E1: somebody who walks in from the side is awaited: focus is on the way before they are in")
    func anticipation() {
        let far = Actor(id: 1, depth: { _ in 2.6 }, center: place(0.4))
        let entering = Actor(id: 2, depth: { _ in 1.7 }, center: { CGPoint(x: ramp(1.15, 0.6, from: 2, to: 3.6)($0), y: 0.4) }, isSeen: { $0 > 2.05 })
        let awaited = Play(6, [far, entering])
        let met = Play(6, [far, entering], tuning: .without(\.anticipation))
        #expect(awaited.focusSequence == ["1 weak entered", "2 weak entered"])
        #expect(met.focusSequence == awaited.focusSequence)
        #expect(awaited.time(of: 1) < met.time(of: 1) - 0.1)
    }

    @Test("F12, E9: a person is one subject, and the face stands for it")
    func face() {
        let body = Actor(id: 1, group: 1, kind: .humanBody, side: 0.9)
        let head = Actor(id: 2, group: 1, kind: .humanHead, side: 0.34)
        let play = Play(3, [body, head, Actor(id: 3, group: 1)])
        #expect(play.focusSequence == ["3 weak entered"])
    }

    @Test("E2: a little more prominent is not enough, much more needs the dwell")
    func hysteresis() {
        let first = Actor(id: 1)
        let slightly = Actor(id: 2, depth: ramp(2.2, 1.9, from: 5, to: 6), center: place(0.6))
        #expect(Play(12, [first, slightly]).focusSequence == ["1 weak entered"])
        let much = Actor(id: 2, depth: ramp(2.2, 0.9, from: 5, to: 6), center: place(0.6))
        let play = Play(12, [first, much])
        #expect(play.focusSequence == ["1 weak entered", "2 weak moreProminent"])
        #expect(play.time(of: 1) > 5.5)
    }

    @Test("E2: automatic choice does not twitch between equals under noise")
    func calm() {
        let (a, b) = (Noise(seed: 1), Noise(seed: 2))
        func actor(_ id: Int, _ x: Double, _ noise: Noise) -> Actor {
            Actor(
                id: id,
                center: { CGPoint(x: x + 0.02 * noise.normal(Int($0 * 30) + 5000), y: 0.4) },
                yaw: { 20 + 15 * noise.normal(Int($0 * 30)) }, isSeen: { noise.uniform(Int($0 * 30) + 9000) > 0.1 },
                disparityNoise: { 0.03 * noise.normal($0 + 20000) })
        }
        #expect(Play(60, [actor(1, 0.4, a), actor(2, 0.6, b)]).decisions.count == 1)
    }

    @Test("E2: a subject that flickers past for a moment attracts nothing")
    func ghost() {
        let ghost = Actor(id: 2, depth: { _ in 0.8 }, isSeen: during(2..<2.2))
        #expect(Play(5, [Actor(id: 1), ghost]).focusSequence == ["1 weak entered"])
    }

    @Test("missing detections of a frame or two change nothing")
    func coasting() {
        let still = Play(6, [Actor(id: 1)])
        let gaps = Play(6, [Actor(id: 1, isSeen: { Int($0 * 30) % 7 > 1 || $0 < 0.5 })])
        #expect(gaps.focusSequence == ["1 weak entered"])
        #expect(gaps.disparities == still.disparities)
    }

    @Test("a salient object is never chosen by itself")
    func things() {
        let mug = Actor(id: 1, kind: .salientObject, depth: { _ in 0.8 })
        #expect(Play(3, [mug]).decisions.isEmpty)
        #expect(Play(3, [mug, Actor(id: 2, depth: { _ in 4 })]).focusSequence == ["2 weak entered"])
    }

    @Test("a subject that leaves by the edge exited, one that vanishes was lost; the next takes over, or nothing")
    func leaving() {
        let out = Actor(id: 1, center: { CGPoint(x: ramp(0.5, 1.2, from: 1, to: 2)($0), y: 0.4) }, isSeen: during(0..<1.8))
        let vanishes = Actor(id: 1, isSeen: during(0..<1.8))
        let other = Actor(id: 2, depth: { _ in 4 }, center: place(0.3))
        #expect(Play(4, [out, other]).focusSequence == ["1 weak entered", "2 weak exited"])
        #expect(Play(4, [vanishes, other]).focusSequence == ["1 weak entered", "2 weak lost"])
        #expect(Play(4, [out]).focusSequence == ["1 weak entered", "- none nothingLeft"])
        #expect(nearly(Play(4, [out, other]).time(of: 1), 2.2, 0.08))
    }

    @Test("E16: without a subject focus is on the nearest surface about the middle, smoothed")
    func nothing() {
        let play = Play(6, [], ambient: { $0 < 3 ? 0.4 : 1.2 })
        #expect(play.decisions.isEmpty)
        #expect(play.state(at: 2.9) == FocusState(focusDisparity: 0.4))
        #expect(nearly(play.state(at: 3.2).focusDisparity, 0.5, 0.2))
        #expect(nearly(play.state(at: 5.9).focusDisparity, 1.2, 0.001))
        #expect(zip(play.disparities, play.disparities.dropFirst()).allSatisfy { abs($0 - $1) < 0.1 })
    }
}

extension FocusTuning {
    /// The tuning with one number at zero.
    fileprivate static func without<Value: Numeric>(_ number: WritableKeyPath<FocusTuning, Value>) -> FocusTuning {
        var tuning = FocusTuning()
        tuning[keyPath: number] = 0
        return tuning
    }
}

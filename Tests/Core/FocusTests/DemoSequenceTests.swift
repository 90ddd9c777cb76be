import Focus
import Foundation
import Pipeline
import Testing

@Suite("The focus of the demo")
struct DemoSequenceTests {
    /// Maya alone; Ben walks in, nearer; looks away and back; a cat comes forward; the user taps twice, then presses.
    @Test("focus goes where the script has it, and says why")
    func demo() {
        let maya = Actor(id: 1, group: 1, depth: { _ in 2.2 }, center: { _ in CGPoint(x: 0.4, y: 0.4) }, yaw: { _ in 0 })
        let ben = Actor(
            id: 2, group: 2, depth: ramp(1.6, 1.3, from: 3, to: 4.5),
            center: { CGPoint(x: ramp(1.05, 0.68, from: 3, to: 4.5)($0), y: 0.42) }, yaw: looksAway(7..<9.5), isSeen: during(3..<30))
        let cat = Actor(
            id: 3, group: 3, kind: .catBody, depth: ramp(2.6, 0.9, from: 14, to: 16),
            center: { CGPoint(x: 0.5, y: ramp(0.8, 0.65, from: 14, to: 16)($0)) }, side: 0.36, isSeen: during(12..<30))
        let play = Play(
            22, [maya, ben, cat],
            requests: [
                (12.5, .track(objectID: 1, mode: .weak)), (13.2, .track(objectID: 1, mode: .strong)),
                (18, .fix(point: CGPoint(x: 0.5, y: 0.5), disparity: 0.3, objectID: 9, mode: .strong)),
            ])
        #expect(
            play.focusSequence == [
                "1 weak entered", "2 weak entered", "1 weak facedAway", "2 weak facedBack", "1 weak tapUnfocused", "1 strong tapWeakAgain",
                "9 strong fixedByPress",
            ])
        #expect(play.time(of: 1) < 5)
        #expect(nearly(play.time(of: 2), 7.5, 0.1))
        #expect(play.time(of: 3) < 10.5)
        #expect(play.decisions.map(\.isUserDecision) == [false, false, false, false, true, true, true])
        #expect(nearly(play.state(at: 17.9).focusDisparity, 1 / 2.2, 0.001))
        #expect(play.state(at: 21).focusDisparity == 0.3)
    }

    /// The world and the taps of reference/example-scenario.yaml, with its checks.
    @Test("the example scenario's cat steals weak focus, not strong")
    func example() {
        func ease(_ from: Double, _ to: Double, _ start: Double, _ end: Double) -> (Double) -> Double {
            { time in
                let t = min(max((time - start) / (end - start), 0), 1)
                return from + (to - from) * t * t * (3 - 2 * t)
            }
        }
        func catBox(_ time: Double) -> CGRect {
            func side(_ a: Double, _ b: Double, _ c: Double) -> Double { ease(a, b, 3, 5)(time) + ease(0, c - b, 9.2, 10.7)(time) }
            return CGRect(x: side(0.70, 0.44, 0.30), y: side(0.62, 0.50, 0.35), width: side(0.14, 0.30, 0.50), height: side(0.18, 0.38, 0.60))
        }
        let yaw = { (time: Double) in ease(0, 180, 5, 5.4)(time) - ease(0, 180, 7, 7.3)(time) }
        let maya = Actor(id: 1, depth: { _ in 1.4 }, box: { _ in CGRect(x: 0.40, y: 0.20, width: 0.16, height: 0.26) }, yaw: yaw)
        var cat = Actor(
            id: 2, kind: .catBody, depth: { 1 / (ease(1 / 2.6, 1 / 1.1, 3, 5)($0) + ease(0, 1 / 0.7 - 1 / 1.1, 9.2, 10.7)($0)) }, box: catBox,
            yaw: { _ in 0 }, isSeen: during(3..<20))
        var head = cat
        (cat.group, head.group, head.id, head.kind, head.yaw) = (2, 2, 5, .catHead, { _ in nil })
        head.box = { time in
            let body = catBox(time)
            return CGRect(x: body.minX + 0.03 * body.width, y: body.minY, width: 0.3 * body.height, height: 0.52 * body.height)
        }
        let mug = Actor(
            id: 3, kind: .salientObject, depth: { _ in 0.9 }, box: { _ in CGRect(x: 0.18, y: 0.70, width: 0.06, height: 0.10) },
            isSeen: during(11.7..<20))
        let play = Play(
            16, [maya, cat, head, mug],
            requests: [
                (8.1, .track(objectID: 1, mode: .weak)), (9.1, .track(objectID: 1, mode: .strong)), (11.7, .track(objectID: 3, mode: .weak)),
                (14.31, .fix(point: CGPoint(x: 0.5, y: 0.5), disparity: 1 / 0.7, objectID: 4, mode: .strong)),
            ])
        #expect(play.state(at: 0.5) == FocusState(focusDisparity: play.state(at: 0.5).focusDisparity, subject: 1, mode: .weak))
        #expect(play.moments.filter { (5..<5.6).contains($0.time) }.allSatisfy { $0.step.state.subject == 1 })
        #expect(play.moments.contains { (5.9..<6.9).contains($0.time) && $0.step.state.subject == 5 && $0.step.state.mode == .weak })
        #expect(play.state(at: 8).subject == 5)
        #expect(play.state(at: 8.25).subject == 1)
        #expect(play.state(at: 8.25).mode == .weak)
        #expect(play.state(at: 8.25).rack != nil)
        #expect(play.moments.filter { (9.2..<11.5).contains($0.time) }.allSatisfy { $0.step.state.subject == 1 && $0.step.state.mode == .strong })
        #expect(play.state(at: 11.9).subject == 3)
        #expect(play.state(at: 14.7).isFixed)
        #expect(nearly(1 / play.state(at: 15.6).focusDisparity, 0.7, 0.035))
        #expect(play.focusSequence.prefix(4) == ["1 weak entered", "5 weak facedAway", "1 weak tapUnfocused", "1 strong tapWeakAgain"])
    }
}

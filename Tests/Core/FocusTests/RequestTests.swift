import Focus
import Foundation
import Pipeline
import Testing

@Suite("What the user asks")
struct RequestTests {
    private let maya = Actor(id: 1, depth: { _ in 1.6 })
    private let ben = Actor(id: 2, depth: { _ in 2.6 }, center: { _ in CGPoint(x: 0.3, y: 0.4) })
    private let middle = CGPoint(x: 0.5, y: 0.5)

    @Test("F3, E3: a weak request racks now, is protected, and then prominence may take focus back")
    func weak() {
        let near = Actor(id: 1, depth: { _ in 1 })
        let play = Play(8, [near, ben], requests: [(2, .track(objectID: 2, mode: .weak))])
        #expect(play.focusSequence == ["1 weak entered", "2 weak tapUnfocused", "1 weak moreProminent"])
        #expect(play.time(of: 2) >= 3.5)
        #expect(play.time(of: 2) < 4.2)
    }

    @Test("E3: protection ends early when the subject looks away or is gone, but not when it looked away already")
    func weakEnds() {
        let turning = Actor(id: 2, depth: { _ in 2.6 }, center: { _ in CGPoint(x: 0.3, y: 0.4) }, yaw: looksAway(2.2..<9))
        let turned = Actor(id: 2, depth: { _ in 2.6 }, center: { _ in CGPoint(x: 0.3, y: 0.4) }, yaw: looksAway(1..<9))
        let gone = Actor(id: 2, depth: { _ in 2.6 }, isSeen: during(0..<2.2))
        let tap: [(Double, FocusRequest)] = [(2, .track(objectID: 2, mode: .weak))]
        #expect(nearly(Play(5, [maya, turning], requests: tap).time(of: 2), 2.7, 0.05))
        #expect(nearly(Play(5, [maya, gone], requests: tap).time(of: 2), 2.6, 0.08))
        #expect(Play(5, [maya, turned], requests: tap).time(of: 2) >= 3.5)
    }

    @Test("F4: strong stays, whatever comes in front")
    func strong() {
        let cat = Actor(id: 3, kind: .catBody, depth: { _ in 0.7 }, side: 0.5, isSeen: during(3..<20))
        let close = Actor(id: 4, depth: { _ in 0.6 }, isSeen: during(5..<20))
        let play = Play(20, [ben, maya, cat, close], requests: [(2, .track(objectID: 2, mode: .strong))])
        #expect(play.focusSequence == ["1 weak entered", "2 strong api"])
        #expect(nearly(play.state(at: 19).focusDisparity, 1 / 2.6, 0.001))
    }

    @Test("F4: strong stays on a subject that looks away")
    func strongAway() {
        let away = Actor(id: 2, depth: { _ in 2.6 }, yaw: looksAway(3..<20))
        #expect(Play(20, [away, maya], requests: [(2, .track(objectID: 2, mode: .strong))]).decisions.count == 2)
    }

    @Test("F5, F6: strong ends when the subject leaves; back under a new ID it is nobody special")
    func strongEnds() {
        let leaves = Actor(
            id: 2, depth: { _ in 2.6 }, center: { CGPoint(x: ramp(0.3, -0.2, from: 3, to: 4)($0), y: 0.4) }, isSeen: during(0..<4))
        let returns = Actor(id: 5, depth: { _ in 2.6 }, center: { _ in CGPoint(x: 0.3, y: 0.4) }, isSeen: during(6..<12))
        let play = Play(12, [maya, leaves, returns], requests: [(2, .track(objectID: 2, mode: .strong))])
        #expect(play.focusSequence == ["1 weak entered", "2 strong api", "1 weak exited"])
        #expect(nearly(play.time(of: 2), 4.8, 0.1))
    }

    @Test("E7: strong survives an occlusion, holding its disparity")
    func occlusion() {
        let hidden = Actor(id: 2, depth: { _ in 2.6 }, isSeen: during(0..<3, 3.7..<12))
        let play = Play(12, [maya, hidden], requests: [(2, .track(objectID: 2, mode: .strong))])
        #expect(play.focusSequence == ["1 weak entered", "2 strong api"])
        #expect(play.disparities.suffix(270).allSatisfy { nearly($0, 1 / 2.6, 0.001) })
        let longer = Actor(id: 2, depth: { _ in 2.6 }, isSeen: during(0..<3, 4..<12))
        #expect(Play(12, [maya, longer], requests: [(2, .track(objectID: 2, mode: .strong))]).focusSequence.last == "1 weak lost")
    }

    @Test("E8: strong goes on with another member of the group, and back to the one asked for")
    func group() {
        let face = Actor(id: 1, group: 1, isSeen: during(0..<3, 6..<10))
        let body = Actor(id: 2, group: 1, kind: .humanBody, side: 0.9)
        let play = Play(10, [face, body, maya3], requests: [(2, .track(objectID: 1, mode: .strong))])
        #expect(play.focusSequence.suffix(3) == ["1 strong tapWeakAgain", "2 strong groupMember", "1 strong groupMember"])
    }
    private let maya3 = Actor(id: 3, group: 2, depth: { _ in 3 }, center: { _ in CGPoint(x: 0.2, y: 0.4) })

    @Test("F7: a salient object that was asked for is followed, and left by prominence")
    func salient() {
        let mug = Actor(
            id: 7, kind: .salientObject, depth: ramp(2, 1.2, from: 2.6, to: 3.2), center: { _ in CGPoint(x: 0.2, y: 0.7) }, side: 0.08)
        let play = Play(9, [mug, maya], requests: [(2, .track(objectID: 7, mode: .weak))])
        #expect(play.focusSequence == ["1 weak entered", "7 weak tapUnfocused", "1 weak moreProminent"])
        #expect(nearly(play.state(at: 3.4).focusDisparity, 1 / 1.2, 0.06))
    }

    @Test("F8, F14: a request for an object that is not there changes nothing and is handed back; one a frame old is served")
    func stale() {
        let leaving = Actor(id: 2, depth: { _ in 2.6 }, isSeen: during(0..<1.95))
        let unknown = FocusRequest.track(objectID: 99, mode: .weak)
        let served = Play(2.2, [maya, leaving], requests: [(2, .track(objectID: 2, mode: .weak))])
        #expect(served.refused.isEmpty)
        #expect(served.state(at: 2).subject == 2)
        let late = Play(5, [maya, leaving], requests: [(3, .track(objectID: 2, mode: .strong)), (4, unknown)])
        #expect(late.refused == [.track(objectID: 2, mode: .strong), unknown])
        #expect(late.focusSequence == ["1 weak entered"])
    }

    @Test("a disparity that is no number is handed back", arguments: [Double.nan, .infinity, -1])
    func badDisparity(_ disparity: Double) {
        let play = Play(2, [maya], requests: [(1, .fix(point: middle, disparity: disparity, objectID: 9, mode: .strong))])
        #expect(play.refused.count == 1)
        #expect(play.decisions.count == 1)
    }

    @Test("a mode of none counts as weak")
    func none() {
        #expect(Play(3, [maya, ben], requests: [(2, .track(objectID: 2, mode: .none))]).focusSequence.last == "2 weak tapUnfocused")
        let fix = FocusRequest.fix(point: middle, disparity: 1, objectID: 9, mode: .none)
        #expect(Play(3, [maya], requests: [(2, fix)]).focusSequence.last == "9 weak api")
    }

    @Test("2.3: tap on a weak box makes it strong, on a strong box weak again, without a rack")
    func tapping() {
        let play = Play(5, [maya, ben], requests: [(2, .track(objectID: 1, mode: .strong)), (3, .track(objectID: 1, mode: .weak))])
        #expect(play.focusSequence == ["1 weak entered", "1 strong tapWeakAgain", "1 weak tapUnfocused"])
        #expect(play.moments.allSatisfy { $0.step.state.rack == nil })
    }

    @Test("E6: the target reports its mode from the request onward")
    func modeDuringRack() {
        let play = Play(3, [maya, ben], requests: [(2, .track(objectID: 2, mode: .strong))])
        #expect(play.state(at: 1.97).subject == 1)
        let state = play.state(at: 2)
        #expect(state.subject == 2)
        #expect(state.mode == .strong)
        #expect(nearly(state.focusDisparity, 1 / 1.6, 0.001))
        #expect(state.rack?.start == 2_000_000_000)
        #expect(nearly(state.rack!.to, 1 / 2.6, 0.001))
    }
}

import Focus
import Foundation
import Pipeline
import Testing

@Suite("Fixed focus")
struct FixedFocusTests {
    private let maya = Actor(id: 1, depth: { _ in 1.6 })
    private let point = CGPoint(x: 0.25, y: 0.5)

    private func fix(_ mode: FocusMode) -> FocusRequest { .fix(point: point, disparity: 0.3, objectID: 9, mode: mode) }

    @Test("F9, E15: strong fixed focus never moves")
    func strong() {
        let runner = Actor(id: 2, depth: ramp(3, 0.6, from: 5, to: 7), isSeen: during(4..<20))
        let play = Play(20, [maya, runner], requests: [(2, fix(.strong))])
        #expect(play.focusSequence == ["1 weak entered", "9 strong fixedByPress"])
        #expect(play.decisions.last?.isFixed == true)
        #expect(play.disparities.suffix(480).allSatisfy { $0 == 0.3 })
        #expect(play.state(at: 19).fixedPoint == point)
    }

    @Test("F9, E14: weak fixed focus may be left after its protection")
    func weak() {
        let play = Play(8, [Actor(id: 1, depth: { _ in 1 })], requests: [(2, fix(.weak))])
        #expect(play.focusSequence == ["1 weak entered", "9 weak api", "1 weak moreProminent"])
        #expect(play.time(of: 2) >= 3.5)
        #expect(Play(20, [], requests: [(2, fix(.weak))]).focusSequence == ["9 weak api"])
    }

    @Test("F10, E13: an object of its own stands for it, as long as it lasts")
    func object() throws {
        let play = Play(8, [maya], requests: [(2, fix(.strong)), (5, .track(objectID: 1, mode: .weak))])
        let object = try #require(play.moments.last { $0.time < 4.9 }?.step.fixedObject)
        #expect(object.objectID == 9)
        #expect(object.groupID == -1)
        #expect(object.kind == .salientObject)
        #expect(object.disparity == 0.3)
        #expect(nearly(object.bounds.midX, point.x, 1e-12) && nearly(object.bounds.midY, point.y, 1e-12))
        #expect(nearly(object.bounds.width * 16, object.bounds.height * 9, 0.001))
        #expect(play.moments.filter { $0.time < 1.99 || $0.time > 5 }.allSatisfy { $0.step.fixedObject == nil })
    }

    @Test("a tap on the fixed object changes its mode and nothing else")
    func tap() {
        let play = Play(6, [], requests: [(1, fix(.strong)), (3, .track(objectID: 9, mode: .weak)), (4, .track(objectID: 9, mode: .strong))])
        #expect(play.focusSequence == ["9 strong fixedByPress", "9 weak tapUnfocused", "9 strong tapWeakAgain"])
        #expect(play.state(at: 3).rack == nil)
    }
}

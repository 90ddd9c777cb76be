import Focus
import Foundation
import Pipeline
import Testing

@testable import ReferenceModel

@Suite("Decisions not taken")
struct WithheldTests {
    private func place(_ x: Double) -> (Double) -> CGPoint { { _ in CGPoint(x: x, y: 0.4) } }
    private var ben: Actor { Actor(id: 2, depth: { _ in 2.6 }, center: place(0.3)) }

    /// Each as `time subject why because`.
    private func list(_ play: Play) -> [String] {
        play.moments.flatMap(\.step.withheld).map {
            "\((Double($0.time) / 1e8).rounded() / 10) \($0.subject.map(String.init) ?? "-") \($0.why) \($0.because)"
        }
    }

    @Test("somebody nearer must be ahead for the dwell first")
    func dwell() {
        let play = Play(5, [ben, Actor(id: 3, depth: { _ in 0.9 }, center: place(0.6), isSeen: during(2..<9))])
        #expect(list(play) == ["2.1 3 entered dwell"])
        #expect(play.focusSequence == ["2 weak entered", "3 weak entered"])
    }

    @Test("a little more prominent is not enough of a lead")
    func lead() {
        let slightly = Actor(id: 2, depth: ramp(2.2, 1.8, from: 5, to: 6), center: place(0.5))
        let play = Play(9, [Actor(id: 1, depth: { _ in 2 }), slightly])
        #expect(play.decisions.count == 1)
        #expect(list(play).contains { $0.hasSuffix("2 moreProminent lead") })
    }

    @Test("a face that looks away has its grace, and so has one that looks back")
    func grace() {
        let near = Actor(id: 1, depth: { _ in 1.3 }, yaw: looksAway(2..<4))
        let play = Play(8, [near, Actor(id: 2, depth: { _ in 2.4 }, center: place(0.3), yaw: { _ in 0 })])
        #expect(list(play) == ["2.0 2 facedAway grace", "4.0 1 facedBack grace", "4.2 1 facedBack dwell"])
    }

    @Test("the user's weak choice is protected, then the dwell runs")
    func protected() {
        let play = Play(8, [Actor(id: 1, depth: { _ in 1 }), ben], requests: [(2, .track(objectID: 2, mode: .weak))])
        #expect(list(play) == ["2.0 1 moreProminent protected", "3.5 1 moreProminent dwell"])
    }

    @Test("strong and fixed say so, once, and a missing subject is waited for")
    func held() {
        let cat = Actor(id: 3, kind: .catBody, depth: { _ in 0.7 }, side: 0.5, isSeen: during(3..<20))
        let strong = Play(12, [ben, cat], requests: [(2, .track(objectID: 2, mode: .strong))])
        #expect(list(strong) == ["3.1 3 entered strong"])
        let fix = FocusRequest.fix(point: CGPoint(x: 0.5, y: 0.5), disparity: 0.3, objectID: 9, mode: .strong)
        let fixed = Play(12, [Actor(id: 1, depth: { _ in 0.9 })], requests: [(2, fix)])
        #expect(list(fixed) == ["2.0 1 moreProminent fixed"])
        let hidden = Actor(id: 2, depth: { _ in 2.6 }, isSeen: during(0..<3, 3.6..<12))
        let gone = Play(6, [hidden, Actor(id: 4, depth: { _ in 4 }, center: place(0.2))], requests: [(2, .track(objectID: 2, mode: .strong))])
        #expect(list(gone).contains { $0.hasSuffix("4 lost missing") })
    }

    @Test("noise does not repeat them, and nothing is withheld where there is only one")
    func quiet() {
        let (a, b) = (Noise(seed: 3), Noise(seed: 4))
        func actor(_ id: Int, _ noise: Noise) -> Actor {
            Actor(id: id, center: place(0.5), disparityNoise: { 0.03 * noise.normal($0 + 20000) })
        }
        #expect(Play(60, [actor(1, a), actor(2, b)]).moments.flatMap(\.step.withheld).count < 30)
        #expect(Play(10, [actor(1, a)]).moments.allSatisfy { $0.step.withheld.isEmpty })
    }
}

import Foundation
import Pipeline
import Testing

@testable import Focus

@Suite("Openings of shots of footage")
struct OpeningTests {
    private func face(_ id: Int, x: Double = 0.5, side: Double = 0.1, disparity: Double = 0.5, sharpness: Double = 1) -> Detection {
        Detection(
            objectID: id, kind: .face, bounds: CGRect(x: x, y: 0.3, width: side, height: side), yaw: 0, disparity: disparity, sharpness: sharpness,
            brightness: 0.8)
    }

    /// 30 frames a second.
    private func play(_ seconds: Double, opensShot: Bool = true, _ seen: (Double) -> [Detection]) -> [LookAhead.Recorded] {
        var engine = FocusEngine(opensShot: opensShot)
        return (0..<Int(seconds * 30)).map { index in
            let (time, detections) = (Int64(index) * 1_000_000_000 / 30, seen(Double(index) / 30))
            let step = engine.step(at: time, detections: detections, requests: [], ambientDisparity: 0.1)
            return LookAhead.Recorded(
                time: time, detections: detections, state: step.state, decisions: step.decisions, shot: opensShot ? 0 : nil)
        }
    }

    @Test("live, focus stands on the first prominent subject of a shot as soon as that is seen, without a rack")
    func live() {
        let frames = play(1) { $0 < 0.2 ? [] : [face(1, side: 0.2)] }
        let first = frames.first { $0.state.subject != nil }
        #expect(first?.time == 200_000_000 && first?.state.focusDisparity == 0.5)
        #expect(frames.allSatisfy { $0.state.rack == nil })
    }

    @Test("a small one at the side waits for who is found a moment later")
    func waiting() {
        let frames = play(1) { time in (time < 0.1 ? [] : [face(1, x: 0.02, side: 0.06)]) + (time < 0.16 ? [] : [face(2, side: 0.1)]) }
        #expect(Set(frames.compactMap(\.state.subject)) == [2])
        #expect(frames.first { $0.state.subject != nil }?.time == 200_000_000)
        let alone = play(1) { $0 < 0.1 ? [] : [face(1, x: 0.02, side: 0.06)] }
        #expect(alone.first { $0.state.subject != nil }?.time == 200_000_000)
        #expect(play(1) { _ in [face(1, x: 0.02, side: 0.06)] }[0].state.subject == 1)
    }

    @Test("a camera's session racks to whoever comes")
    func session() {
        let frames = play(1, opensShot: false) { $0 < 0.2 ? [] : [face(1)] }
        #expect(frames.contains { $0.state.rack != nil })
    }

    @Test("a better subject in the opening is taken at once; after it there are racks and dwells")
    func correction() {
        func seen(_ arrival: Double) -> (Double) -> [Detection] {
            { time in [face(1, x: 0.1, side: 0.05)] + (time < arrival ? [] : [face(2, side: 0.4, disparity: 1)]) }
        }
        let early = play(1, seen(0.2))
        #expect(early[12].state.subject == 2 && early[12].state.focusDisparity == 1)
        #expect(early.allSatisfy { $0.state.rack == nil })
        let late = play(8, seen(1))
        #expect(late[40].state.subject == 1)
        #expect(late.last?.state.subject == 2 && late.contains { $0.state.rack != nil })
    }

    @Test("the future known, a shot opens on its first subject from its first frame")
    func known() {
        for delay in [0.2, 1.0] {
            let states = LookAhead.states(of: play(3) { $0 < delay ? [] : [face(1)] })
            #expect(states.allSatisfy { abs($0.focusDisparity - 0.5) < 1e-9 && $0.rack == nil })
        }
    }

    @Test("one that comes late, or in from a side, is racked to")
    func entering() {
        for (delay, x) in [(2.5, 0.5), (1.0, 0.0)] {
            let states = LookAhead.states(of: play(4) { $0 < delay ? [] : [face(1, x: x)] })
            #expect(states[0].focusDisparity < 0.2 && states.contains { $0.rack != nil })
        }
    }
}

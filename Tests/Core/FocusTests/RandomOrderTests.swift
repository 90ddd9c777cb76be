import Focus
import Foundation
import Pipeline
import Testing

@testable import ReferenceModel

/// Orders and taps drawn by chance, over people of whom two are not always there.
@Suite("Orders by chance, with look-ahead")
struct RandomOrderTests {
    private static func requests(_ noise: Noise) -> [(time: Double, request: FocusRequest)] {
        var drawn = 0
        func draw(_ range: ClosedRange<Double>) -> Double {
            drawn += 1
            return range.lowerBound + noise.uniform(drawn) * (range.upperBound - range.lowerBound)
        }
        func isHeads() -> Bool { draw(0...1) < 0.5 }
        func nanoseconds(_ seconds: Double) -> Int64 { Int64(seconds * 1e9) }
        var requests: [(Double, FocusRequest)] = []
        var time = 1.0
        while time < 18 {
            let mode: FocusMode = isHeads() ? .weak : .strong
            var request = FocusRequest.track(objectID: 1 + Int(draw(0...2.999)), mode: mode)
            if draw(0...1) < 0.25 { request = .fix(point: .zero, disparity: 0.1, objectID: 90 + requests.count, mode: mode) }
            if isHeads() {
                var course = RackCourse(begin: nanoseconds(time))
                if isHeads() { course.over = nanoseconds(draw(0.3...5)) }
                if isHeads() { course.landing = course.begin + max(course.over ?? 0, nanoseconds(draw(0.4...5))) }
                request = .ordered(request, course)
            }
            requests.append((time, request))
            time += draw(0.5...6)
        }
        return requests
    }

    private static func record(_ noise: Noise) -> [LookAhead.Recorded] {
        let gone = 3 + 17 * noise.uniform(5000)
        let back = gone + 0.2 + 4 * noise.uniform(5001)
        let actors = [
            Actor(id: 1, depth: { _ in 1 }, isSeen: { $0 < gone || $0 > back }),
            Actor(id: 2, depth: { _ in 2 }, center: { _ in CGPoint(x: 0.3, y: 0.4) }, isSeen: { $0 < 9 || $0 > 12 }),
            Actor(id: 3, depth: { _ in 4 }, center: { _ in CGPoint(x: 0.7, y: 0.4) }),
        ]
        return Play(22, actors, requests: requests(noise)).moments.enumerated().map { frame, moment in
            let seen = actors.compactMap { $0.detection(frame: frame, at: moment.time) } + [moment.step.fixedObject].compactMap { $0 }
            return LookAhead.Recorded(
                time: Int64(frame) * 1_000_000_000 / 30, detections: seen, state: moment.step.state, decisions: moment.step.decisions)
        }
    }

    @Test("land when they were ordered to, unless a later one lands first; focus never leaps; a plan by parts is that by all", arguments: 1...60)
    func orders(seed: Int) {
        let record = Self.record(Noise(seed: UInt64(seed)))
        let (states, plan) = (LookAhead.states(of: record), FocusPlan(record))
        let decisions = record.flatMap(\.decisions).filter(\.isUserDecision)
        func landing(_ decision: FocusDecision) -> Int64 { decision.course?.landing ?? decision.time }
        let landings = decisions.map(landing)
        for decision in decisions where decision.course != nil {
            let end = landing(decision)
            guard !decisions.contains(where: { $0.time > decision.time && landing($0) <= end }) else { continue }
            guard let at = record.firstIndex(where: { $0.time >= end }), record[at].state.subject == decision.subject else { continue }
            #expect(nearly(states[at].focusDisparity, decision.disparity, 0.01), "\(decision)")
        }
        for (index, (frame, state)) in zip(record, states).enumerated() {
            let planned = plan.applied(to: frame.state, at: frame.time).focusDisparity
            #expect(nearly(planned, state.focusDisparity, 2.5 / 65536), "frame \(index)")
            // Two landings that follow each other at once are what was ordered.
            guard index > 0, landings.count(where: { abs($0 - frame.time) < 400_000_000 }) < 2 else { continue }
            #expect(abs(state.focusDisparity - states[index - 1].focusDisparity) < 0.2, "frame \(index)")
        }
    }
}

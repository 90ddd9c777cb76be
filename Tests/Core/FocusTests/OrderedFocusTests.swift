import Focus
import Foundation
import Pipeline
import Testing

@testable import ReferenceModel

@Suite("Focus as ordered")
struct OrderedFocusTests {
    /// Twenty racks between two people who walk and a wall, of every curve, with the time at which each is to land live, in seconds.
    private static let orders: [(begin: Double, landing: Double, request: FocusRequest)] = {
        let noise = Noise(seed: 23)
        return (0..<20).map { index in
            let (begin, length) = (1 + 3 * Double(index) + noise.uniform(3 * index), 0.1 + 1.5 * noise.uniform(3 * index + 1))
            let plane = FocusRequest.fix(point: .zero, disparity: 0.3 + 0.02 * Double(index), objectID: 100 + index, mode: .strong)
            let target = [.track(objectID: 2, mode: .weak), plane, .track(objectID: 1, mode: .strong)][index % 3]
            let nanoseconds = (Int64(begin * 1e9), Int64(length * 1e9))
            var course = RackCourse(begin: nanoseconds.0, over: nanoseconds.1, ease: Ease.allCases[index % Ease.allCases.count])
            if index % 2 == 0 { course.landing = nanoseconds.0 + nanoseconds.1 }
            return (begin, begin + length, .ordered(target, course))
        }
    }()
    private let actors = [
        Actor(id: 1, depth: ramp(1, 2, from: 0, to: 60)),
        Actor(id: 2, depth: ramp(4, 2.5, from: 0, to: 60), center: { _ in CGPoint(x: 0.2, y: 0.4) }),
    ]
    private static let frame = 1.0 / 30

    private func play() -> Play { Play(64, actors, requests: Self.orders.map { ($0.begin, $0.request) }) }

    /// Errors of landing in frames, 0 for the first frame at or after the time: of when the rack ends, and of when focus is where its target is.
    private func errors(_ states: [FocusState], landings: [Double]) -> [(end: Double, arrival: Double)] {
        landings.map { landing in
            func frames(_ index: Int?) -> Double { (index.map { Double($0) * Self.frame } ?? .infinity) / Self.frame - landing / Self.frame }
            let begin = Int((landing / Self.frame - 1.5).rounded(.up))
            // The next rack may begin in the frame in which this one ends.
            let end = states.indices.first { $0 >= begin && (states[$0].rack.map { Double($0.start) >= landing * 1e9 - 1 } ?? true) }
            let arrival = states.indices.first { index in
                guard index >= begin else { return false }
                let state = states[index]
                guard let subject = state.subject else { return false }
                let target = actors.first { $0.id == subject }.map { 1 / $0.depth(Double(index) * Self.frame) } ?? 0.3 + 0.02 * Double(subject - 100)
                return abs(target - state.focusDisparity) < 0.01
            }
            return (frames(end), frames(arrival))
        }
    }

    @Test("twenty racks land within one frame, and none before its time")
    func landsLive() {
        let play = play()
        #expect(play.refused.isEmpty)
        #expect(play.decisions.count { $0.why == .ordered && $0.isUserDecision } == 20)
        for (end, arrival) in errors(play.moments.map(\.step.state), landings: Self.orders.map(\.landing)) {
            #expect((-1e-6..<1).contains(end), "\(end) frames")
            #expect(arrival < 1, "\(arrival) frames")
        }
    }

    @Test("with look-ahead they land when ordered, or when they are to land, within one frame")
    func landsAhead() {
        let recorded = play().moments.enumerated().map { index, moment in
            LookAhead.Recorded(
                time: Int64(index) * 1_000_000_000 / 30, detections: actors.compactMap { $0.detection(frame: index, at: moment.time) },
                state: moment.step.state, decisions: moment.step.decisions)
        }
        let landings = Self.orders.enumerated().map { $0.offset % 2 == 0 ? $0.element.landing : $0.element.begin }
        let states = LookAhead.states(of: recorded)
        for (end, arrival) in errors(states, landings: landings) {
            #expect((-1e-6..<1).contains(end), "\(end) frames")
            #expect(arrival < 1, "\(arrival) frames")
        }
    }

    @Test("a rack that is ordered to take no time has arrived in the frame of the order")
    func atOnce() {
        let order = FocusRequest.ordered(.track(objectID: 2, mode: .strong), RackCourse(begin: 2_000_000_000, over: 0))
        let play = Play(3, actors, requests: [(2, order)])
        let target = 1 / actors[1].depth(2)
        #expect(abs(play.state(at: 2).focusDisparity - target) < 0.01)
        #expect(abs(play.state(at: 1.9).focusDisparity - 1) < 0.05)
    }

    @Test("the curve is the one that was ordered", arguments: Ease.allCases)
    func curve(ease: Ease) {
        let course = RackCourse(begin: 2_000_000_000, over: 1_000_000_000, ease: ease)
        let order = FocusRequest.ordered(.fix(point: .zero, disparity: 1, objectID: 9, mode: .strong), course)
        let still = [Actor(id: 1, depth: { _ in 2 })]
        let play = Play(4, still, requests: [(2, order)])
        for tenth in 1...9 {
            let expected = 0.5 + 0.5 * ease(Double(tenth) / 10)
            #expect(nearly(play.state(at: 2 + Double(tenth) / 10).focusDisparity, expected, 1e-6), "\(tenth)")
        }
    }

    @Test("every curve goes from 0 to 1, and its slope is its rate of change", arguments: Ease.allCases)
    func slope(ease: Ease) {
        #expect(ease(0) == 0 && abs(ease(1) - 1) < 1e-12)
        for t in stride(from: 0.1, to: 0.95, by: 0.1) { #expect(nearly(ease.slope(t), (ease(t + 1e-6) - ease(t - 1e-6)) / 2e-6, 1e-6)) }
    }

    @Test("a target that leaps on the way is met at the time that was ordered")
    func leap() {
        let course = RackCourse(begin: 2_000_000_000, over: 1_000_000_000)
        let runner = Actor(id: 2, depth: { $0 < 2.4 ? 4 : 1.2 }, center: { _ in CGPoint(x: 0.2, y: 0.4) })
        let play = Play(4, [Actor(id: 1, depth: { _ in 2 }), runner], requests: [(2, .ordered(.track(objectID: 2, mode: .strong), course))])
        #expect(nearly(play.state(at: 3).focusDisparity, 1 / 1.2, 0.01))
        #expect(play.state(at: 2.95).rack != nil)
    }

    /// Of focus at 0.5 1/m, on its way to 2 1/m as the order comes.
    @Test(
        "an order that comes while focus is on its way brakes that as an automatic rack does, however long it takes",
        arguments: Ease.allCases, [0.3, 1.2, 1.5])
    func brakes(ease: Ease, disparity: Double) {
        let first = FocusRequest.fix(point: .zero, disparity: 2, objectID: 90, mode: .strong)
        let second = FocusRequest.fix(point: .zero, disparity: disparity, objectID: 91, mode: .strong)
        let course = RackCourse(begin: 2_400_000_000, over: 5_000_000_000, ease: ease)
        let play = Play(8, [Actor(id: 1, depth: { _ in 2 })], requests: [(2, first), (2.4, .ordered(second, course))])
        let (ordered, before) = (play.state(at: 2.4).focusDisparity, play.state(at: 2.36).focusDisparity)
        let way = 0.2 * (ordered - before) * 30
        let past = (play.disparities.max() ?? 0) - max(ordered, disparity)
        #expect(way > 0.3 && past < way, "\(past) 1/m past \(ordered), and \(way) is what it takes to brake within a second")
        #expect(nearly(play.state(at: 7.41).focusDisparity, disparity, 1e-6))
    }

    @Test("a weak order is protected from the landing on")
    func protected() {
        let course = RackCourse(begin: 1_000_000_000, over: 3_000_000_000)
        let large = Actor(id: 3, depth: { _ in 0.7 }, isSeen: { $0 > 1.2 })
        let order = FocusRequest.ordered(.track(objectID: 2, mode: .weak), course)
        let play = Play(8, [Actor(id: 1), Actor(id: 2, depth: { _ in 4 }), large], requests: [(1, order)])
        #expect(play.state(at: 5.4).subject == 2)
        #expect(play.state(at: 7).subject == 3)
    }

    @Test("automatic racks take the length and the curve of the tuning")
    func tuned() {
        var tuning = FocusTuning()
        (tuning.rack, tuning.rackEase) = (1_000_000_000, .linear)
        let fix = FocusRequest.fix(point: .zero, disparity: 1, objectID: 9, mode: .strong)
        let play = Play(4, [Actor(id: 1, depth: { _ in 2 })], requests: [(2, fix)], tuning: tuning)
        #expect(nearly(play.state(at: 2.3).focusDisparity, 0.65, 1e-6))
    }
}

import Focus
import Foundation
import Pipeline
import Testing

@testable import ReferenceModel

@Suite("Look-ahead")
struct LookAheadTests {
    private func recorded(_ length: Double, _ actors: [Actor], requests: [(Double, FocusRequest)] = []) -> [LookAhead.Recorded] {
        let play = Play(length, actors, requests: requests)
        return play.moments.enumerated().map { frame, moment in
            LookAhead.Recorded(
                time: Int64(frame) * 1_000_000_000 / 30,
                detections: actors.compactMap { $0.detection(frame: frame, at: moment.time) } + [moment.step.fixedObject].compactMap { $0 },
                state: moment.step.state, decisions: moment.step.decisions)
        }
    }

    private let maya = Actor(id: 1, depth: { _ in 1.6 })
    private let ben = Actor(id: 2, depth: { _ in 2.6 }, center: { _ in CGPoint(x: 0.3, y: 0.4) })

    @Test("a rack ends when its subject is to be sharp, where live it begins then; the decisions are the same")
    func arrives() throws {
        let live = recorded(5, [maya, ben], requests: [(2, .track(objectID: 2, mode: .strong))])
        let post = LookAhead.states(of: live)
        let tap = try #require(live.firstIndex { $0.state.subject == 2 })
        #expect(nearly(live[tap].state.focusDisparity, 1 / 1.6, 1e-9))
        #expect(nearly(post[tap].focusDisparity, 1 / 2.6, 1e-6))
        let start = try #require(post.firstIndex { $0.rack != nil })
        #expect(nearly(Double(live[tap].time - live[start].time) / 1e9, 0.3 + 0.5 * (1 / 1.6 - 1 / 2.6), 0.034))
        #expect(post[start].subject == 1)
        #expect(post[tap].rack == nil)
        for (a, b) in zip(live, post) {
            #expect(a.state.subject == b.subject && a.state.mode == b.mode && a.state.fixedPoint == b.fixedPoint)
        }
    }

    @Test("a part with the decision in effect is focused as that part of the whole, also within a rack", arguments: [40, 50, 55, 59, 64])
    func part(first: Int) throws {
        let walker = Actor(id: 2, depth: ramp(0, 4, from: 2.2, to: 3), center: { _ in CGPoint(x: 0.3, y: 0.4) })
        let cases: [(ben: Actor, taps: [(Double, Int)], isFootage: Bool, tolerance: Double)] = [
            (ben, [(2, 2)], false, 1e-6), (ben, [(1, 2), (1.7, 1), (2, 2)], false, 1e-6), (ben, [(2, 2)], true, 1e-6),
            (walker, [(2, 2)], false, 0.003),
        ]
        for (ben, taps, isFootage, tolerance) in cases {
            var live = recorded(4, [maya, ben], requests: taps.map { ($0.0, .track(objectID: $0.1, mode: .strong)) })
            if isFootage {
                for index in live.indices {
                    live[index].shot = 0
                    for place in live[index].decisions.indices { live[index].decisions[place].isUserDecision = false }
                }
            }
            let whole = LookAhead.states(of: live)
            #expect(live[60].decisions.last?.subject == 2 && whole[57].rack != nil)
            var part = Array(live[first...])
            part[0].decisions = [try #require(live[...first].last { !$0.decisions.isEmpty }?.decisions.last)]
            let states = LookAhead.states(of: part)
            for (index, state) in states.enumerated() {
                let wanted = whole[first + index]
                #expect(nearly(state.focusDisparity, wanted.focusDisparity, tolerance), "frame \(first + index)")
                #expect((state.rack == nil) == (wanted.rack == nil))
                if let rack = state.rack, let wanted = wanted.rack {
                    #expect(abs(rack.start - wanted.start) < 1000 && nearly(rack.from, wanted.from, tolerance))
                }
            }
        }
    }

    @Test("somebody who walks is followed without lag, through noise, with focus continuous all the way")
    func follows() {
        let noise = Noise(seed: 5)
        let walk = ramp(4, 1, from: 2, to: 4)
        let live = recorded(6, [Actor(id: 1, depth: walk, disparityNoise: { 0.02 * noise.normal($0) })])
        let post = LookAhead.states(of: live)
        let errors = zip(live, post).map { frame, state in
            let depth = walk(Double(frame.time) / 1e9)
            return (1 / depth - state.focusDisparity) * depth * depth / 1.5
        }
        let walking = zip(live, errors).filter { (2_000_000_000..<4_000_000_000).contains($0.0.time) }.map(\.1)
        #expect(abs(walking.reduce(0, +) / Double(walking.count)) < 0.015)
        #expect(zip(post, post.dropFirst()).allSatisfy { abs($0.focusDisparity - $1.focusDisparity) < 0.08 })
    }

    @Test("a fixed plane is sharp when it was pressed, and a leap when it happens")
    func planesAndLeaps() throws {
        let fix = FocusRequest.fix(point: CGPoint(x: 0.5, y: 0.5), disparity: 0.2, objectID: 9, mode: .strong)
        let live = recorded(6, [Actor(id: 1, depth: { $0 < 2 ? 2 : 1 })], requests: [(4, fix)])
        let post = LookAhead.states(of: live)
        let press = try #require(live.firstIndex { $0.state.isFixed })
        #expect(nearly(post[press].focusDisparity, 0.2, 1e-9))
        #expect(post[press...].allSatisfy { $0.focusDisparity == 0.2 })
        #expect(nearly(post[60].focusDisparity, 1, 1e-6))
        #expect(nearly(post[30].focusDisparity, 0.5, 1e-6))
    }

    @Test("focus stays on a subject whose measurements leave it for a moment", arguments: 1...3)
    func outliers(count: Int) {
        let wrong = [0.28, 0.34, 0.47]
        let live = recorded(4, [Actor(id: 1, depth: { _ in 1 / 1.04 }, disparityNoise: { (60..<60 + count).contains($0) ? -wrong[$0 - 60] : 0 })])
        let post = LookAhead.states(of: live)
        #expect(post.allSatisfy { nearly($0.focusDisparity, 1.04, 1e-6) && $0.rack == nil }, "\(post[55..<67].map(\.focusDisparity))")
    }

    /// The subject's way before it is to be sharp is nothing to focus.
    @Test("a rack to somebody who comes running never turns back on its way")
    func comesRunning() throws {
        let runner = Actor(id: 3, depth: ramp(1.6, 0.8, from: 1.7, to: 1.95), center: { _ in CGPoint(x: 0.7, y: 0.4) })
        let live = recorded(4, [maya, ben, runner], requests: [(0.2, .track(objectID: 2, mode: .strong)), (2, .track(objectID: 3, mode: .strong))])
        let post = LookAhead.states(of: live)
        let way = post.indices.filter { post[$0].rack.map { $0.start > 1_000_000_000 } ?? false }.map { post[$0].focusDisparity }
        #expect(way.count > 5)
        #expect(zip(way, way.dropFirst()).allSatisfy { $0 <= $1 + 1e-9 }, "\(way)")
        let rack = try #require(post.compactMap(\.rack).last)
        let arrival = try #require(live.firstIndex { $0.time >= rack.start + rack.duration })
        #expect(nearly(post[arrival].focusDisparity, rack.to, 1e-9))
        #expect(nearly(rack.to, 1 / 0.8, 0.02))
    }

    @Test("focus is continuous when decisions crowd, and begins sharp")
    func crowded() {
        let third = Actor(id: 3, depth: { _ in 1.1 }, center: { _ in CGPoint(x: 0.7, y: 0.4) })
        let taps: [(Double, FocusRequest)] = [(0, 1), (0.5, 2), (0.7, 3), (0.8, 1), (2, 2), (2.1, 3)].map {
            ($0.0, .track(objectID: $0.1, mode: .strong))
        }
        let live = recorded(4, [maya, ben, third], requests: taps)
        let post = LookAhead.states(of: live)
        #expect(nearly(post[0].focusDisparity, 1 / 1.6, 1e-9))
        #expect(zip(post, post.dropFirst()).allSatisfy { abs($0.focusDisparity - $1.focusDisparity) < 0.15 })
        #expect(nearly(post.last!.focusDisparity, 1 / 1.1, 1e-6))
        #expect(LookAhead.states(of: []).isEmpty)
    }

    @Test("whoever is seen for a moment and gone is not racked to; whom the user tapped is, and so is whoever stays")
    func glance() {
        func passer(until end: Double) -> Actor {
            Actor(id: 3, depth: { _ in 0.9 }, center: { _ in CGPoint(x: 0.6, y: 0.4) }, isSeen: during(2..<end))
        }
        let brief = recorded(6, [maya, passer(until: 3)])
        #expect(brief.contains { $0.state.subject == 3 })
        let held = LookAhead.states(of: brief)
        #expect(held.allSatisfy { nearly($0.focusDisparity, 1 / 1.6, 1e-6) && $0.rack == nil }, "\(held.map(\.focusDisparity))")
        #expect(held.map(\.subject) == brief.map(\.state.subject))
        let tapped = LookAhead.states(of: recorded(6, [maya, passer(until: 3)], requests: [(2.6, .track(objectID: 3, mode: .weak))]))
        #expect(tapped.contains { nearly($0.focusDisparity, 1 / 0.9, 1e-6) })
        let long = LookAhead.states(of: recorded(6, [maya, passer(until: 4)]))
        #expect(long.contains { nearly($0.focusDisparity, 1 / 0.9, 1e-6) } && nearly(long.last!.focusDisparity, 1 / 1.6, 1e-6))
    }

    @Test("a plane that is fixed for a moment is reached, and does not move in it")
    func fixedForAMoment() throws {
        let walker = Actor(id: 1, depth: ramp(2, 1, from: 1, to: 3))
        let fix = FocusRequest.fix(point: CGPoint(x: 0.5, y: 0.5), disparity: 0.4, objectID: 9, mode: .strong)
        let live = recorded(4, [walker, ben], requests: [(2, fix), (2.2, .track(objectID: 2, mode: .strong))])
        let post = zip(live, LookAhead.states(of: live)).filter(\.0.state.isFixed).map(\.1)
        #expect(post.count >= 5 && post.allSatisfy { $0.rack != nil || nearly($0.focusDisparity, 0.4, 1e-9) }, "\(post.map(\.focusDisparity))")
        #expect(nearly(try #require(post.first).focusDisparity, 0.4, 1e-9))
    }

    @Test("focus does not run past anybody where decisions crowd", arguments: [0.1, 0.2, 0.35])
    func neverPast(between: Double) {
        let near = Actor(id: 3, depth: { _ in 0.8 }, center: { _ in CGPoint(x: 0.7, y: 0.4) })
        let taps = [2, 3, 1, 2, 1, 3].enumerated().map { (1 + between * Double($0), FocusRequest.track(objectID: $1, mode: .strong)) }
        let post = LookAhead.states(of: recorded(6, [maya, ben, near], requests: taps)).map(\.focusDisparity)
        #expect(post.allSatisfy { (1 / 2.6 - 1e-6...1 / 0.8 + 1e-6).contains($0) }, "\(post.min()!) to \(post.max()!)")
        // Each turn is at somebody's distance.
        let turns = zip(zip(post, post.dropFirst()), post.dropFirst(2)).filter { ($0.1 - $0.0) * ($1 - $0.1) < -1e-12 }.map(\.0.1)
        #expect(turns.allSatisfy { turn in [1.6, 2.6, 0.8].contains { nearly(turn, 1 / $0, 1e-3) } }, "\(turns)")
        #expect(nearly(post.last!, 1 / 0.8, 1e-6))
    }

    /// A record of 40 s, cut after 25 s: who comes near and goes, noise in what is measured, decisions all along.
    private func long() -> [LookAhead.Recorded] {
        let noise = Noise(seed: 7)
        let walker = Actor(id: 1, depth: { 2 + ($0 / 4).truncatingRemainder(dividingBy: 2) }, disparityNoise: { 0.01 * noise.normal($0) })
        let taps = (1..<12).map { (Double($0) * 3.3, FocusRequest.track(objectID: $0 % 2 + 1, mode: .strong)) }
        var record = recorded(40, [walker, ben], requests: taps)
        for index in record.indices { record[index].shot = record[index].time < 25_000_000_000 ? 0 : 1 }
        return record
    }

    @Test("a plan that grows has the focus of the whole run, bit for bit, and has it `future` after a frame, or with the end of its shot")
    func grows() {
        let record = long()
        let (whole, growing) = (FocusPlan(record), FocusPlan(growingBy: FocusTuning()))
        func focus(_ plan: FocusPlan, _ frame: LookAhead.Recorded) -> FocusState { plan.applied(to: frame.state, at: frame.time) }
        for (index, frame) in record.enumerated() {
            let planned = growing.append(frame)
            let behind = frame.shot == 0 ? 0 : 25_000_000_000
            let due = frame.time - Int64(behind) - growing.future
            #expect(planned.map { frame.time - $0 <= growing.future + 500_000_000 || $0 == record[749].time } ?? (due < 0), "\(index)")
            if let planned { #expect(planned <= frame.time - growing.future || frame.shot == 1 && planned == record[749].time) }
        }
        growing.end()
        for frame in record {
            #expect(focus(growing, frame) == focus(whole, frame), "\(frame.time)")
        }
        #expect(record.contains { focus(whole, $0) != $0.state })
    }

    @Test("planned disparities are whole 1/65536 of 1/m, within two of those by all of the future, and the ends of a rack stay")
    func rounds() {
        let record = long()
        let plan = FocusPlan(record)
        func isNear(_ value: Double, _ exact: Double, within units: Double) -> Bool {
            (value * 65536).rounded() == value * 65536 && nearly(value, exact, (units + 0.5) / 65536)
        }
        var last: Rack?
        for (frame, exact) in zip(record, LookAhead.states(of: record)) {
            let planned = plan.applied(to: frame.state, at: frame.time)
            #expect(isNear(planned.focusDisparity, exact.focusDisparity, within: 2))
            if let rack = planned.rack {
                #expect(isNear(rack.from, exact.rack?.from ?? 0, within: 15) && isNear(rack.to, exact.rack?.to ?? 0, within: 15))
                #expect(rack.start != last?.start || rack == last)
            }
            last = planned.rack
        }
    }

    @Test("an order that takes longer than is looked ahead is planned by all of the future", arguments: [nil, 5_000_000_000] as [Int64?])
    func slowOrder(over: Int64?) {
        let course = RackCourse(begin: 6_000_000_000, over: over, landing: over == nil ? 11_000_000_000 : nil)
        let live = recorded(14, [maya, ben], requests: [(6, .ordered(.track(objectID: 2, mode: .strong), course))])
        let plan = FocusPlan(live)
        for (frame, exact) in zip(live, LookAhead.states(of: live)) {
            let planned = plan.applied(to: frame.state, at: frame.time)
            #expect(nearly(planned.focusDisparity, exact.focusDisparity, 2.5 / 65536), "\(frame.time)")
        }
    }

    @Test("whom focus goes to as an ordered rack has lost its subject is racked to once it has landed, without a leap", arguments: [8, 9] as [Int64])
    func afterOrder(landing: Int64) {
        let course = RackCourse(begin: 6_000_000_000, landing: landing * 1_000_000_000)
        let leaving = Actor(id: 2, depth: { _ in 4 }, center: { _ in CGPoint(x: 0.3, y: 0.4) }, isSeen: { $0 < 7 })
        let live = recorded(12, [maya, leaving], requests: [(6, .ordered(.track(objectID: 2, mode: .weak), course))])
        let post = LookAhead.states(of: live)
        let lost = live.firstIndex { $0.state.subject == 1 && $0.time > 6_000_000_000 }.map { live[$0].time } ?? 0
        #expect((7_000_000_000..<8_500_000_000).contains(lost))
        #expect(zip(post, post.dropFirst()).allSatisfy { abs($0.focusDisparity - $1.focusDisparity) < 0.1 })
        let landed = post[Int(landing) * 30].focusDisparity
        #expect(nearly(landed, 0.25, 1e-3), "\(landed), lost at \(lost)")
        #expect(nearly(post.last!.focusDisparity, 1 / 1.6, 1e-6))
    }

    @Test("who leaps between an order and its landing is met where he is then", arguments: [1, 2])
    func leapAheadOfLanding(inFocus: Int) {
        let leaper = Actor(id: 2, depth: { $0 < 7 ? 4 : 1 }, center: { _ in CGPoint(x: 0.3, y: 0.4) })
        let course = RackCourse(begin: 6_000_000_000, landing: 9_000_000_000)
        let requests: [(Double, FocusRequest)] = [
            (2, .track(objectID: inFocus, mode: .strong)), (6, .ordered(.track(objectID: 2, mode: .strong), course)),
        ]
        let post = LookAhead.states(of: recorded(11, [maya, leaper], requests: requests))
        #expect(post[270...].allSatisfy { nearly($0.focusDisparity, 1, 1e-6) })
        #expect(post[100..<240].allSatisfy { nearly($0.focusDisparity, post[100].focusDisparity, 1e-6) || $0.rack != nil })
        #expect(zip(post, post.dropFirst()).allSatisfy { abs($0.focusDisparity - $1.focusDisparity) < 0.15 })
    }

    @Test("focus does not leap in the last frames, where an order has landed and no time is left for a rack")
    func ends() {
        let course = RackCourse(begin: 6_000_000_000, landing: 9_900_000_000)
        let leaving = Actor(id: 2, depth: { _ in 4 }, center: { _ in CGPoint(x: 0.3, y: 0.4) }, isSeen: { $0 < 7 })
        let post = LookAhead.states(of: recorded(10, [maya, leaving], requests: [(6, .ordered(.track(objectID: 2, mode: .weak), course))]))
        #expect(nearly(post[297].focusDisparity, 0.25, 1e-3))
        #expect(zip(post, post.dropFirst()).allSatisfy { abs($0.focusDisparity - $1.focusDisparity) < 0.1 })
    }

    @Test("a shot of twenty minutes is planned as its parts of a minute are, but where those begin and end")
    func endless() {
        let minute = 1800
        let walkers = (0..<3).map { id in
            Actor(
                id: id + 1, depth: { 2 + Double(id) + ($0 / 3).truncatingRemainder(dividingBy: 1) },
                center: { _ in CGPoint(x: 0.2 + 0.3 * Double(id), y: 0.4) })
        }
        let record = (0..<20 * minute).map { index in
            let (time, subject) = (Int64(index) * 1_000_000_000 / 30, 1 + index / 200 % 3)
            let detections = walkers.compactMap { $0.detection(frame: index, at: Double(index) / 30) }
            let focus = detections[subject - 1].disparity ?? 0
            let decision = FocusDecision(time: time, subject: subject, mode: .weak, isUserDecision: false, why: .moreProminent, disparity: focus)
            return LookAhead.Recorded(
                time: time, detections: detections, state: FocusState(focusDisparity: focus, subject: subject, mode: .weak),
                decisions: index % 200 == 0 ? [decision] : [], shot: 0)
        }
        let plan = FocusPlan(record)
        for part in stride(from: 0, to: record.count, by: 5 * minute) {
            let exact = LookAhead.states(of: Array(record[part..<part + minute]))
            for index in 300..<minute - 300 {
                let planned = plan.applied(to: record[part + index].state, at: record[part + index].time)
                #expect(nearly(planned.focusDisparity, exact[index].focusDisparity, 2.5 / 65536), "\(part + index)")
            }
        }
    }

    @Test("racks longer than usual are foreseen as much earlier")
    func foresight() {
        var tuning = FocusTuning()
        #expect(FocusPlan(growingBy: tuning).future == 2_600_000_000)
        tuning.rack = 4_000_000_000
        #expect(FocusPlan(growingBy: tuning).future == 5_600_000_000)
    }
}

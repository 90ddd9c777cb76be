import Foundation
import Pipeline

/// Look-ahead: the same decisions with racks placed knowing the future, so that a rack ends when its subject is to be sharp.
///
/// Live, a rack can only begin then. A pure function over the record of a live run: subject, mode and reason stay as they were, frame by frame; only
/// the disparity and the racks change. With past and future at hand, disparities are smoothed from both sides, so that focus does not lag.
///
///     let states = LookAhead.states(of: recorded, tuning)   // as many as frames
///
/// A rack begins as long before its decision as its distance asks for, but not before the subject ahead of it was sharp. Whoever was chosen and is not
/// seen for `glance` from then on has no rack, nor has whom the user leaves within `rackShortest`: focus stays where it is, or goes to whoever is next. An
/// ordered rack keeps to its course: it ends when it was ordered to, and without a time for that it ends when it was ordered; of what would begin on its way
/// nothing is left, and what follows begins once it has landed, and takes `rackShortest` at least. A shot of footage opens on its first subject, except on one
/// that comes in later than `openingKnown` or from a side. Of a part of a take, whose first frame has the decision in effect, a rack may have begun ahead of
/// the first frame, but not ahead of that decision; an order that lands within the part has landed where it begins.
public enum LookAhead {
    /// Time for which whoever is chosen must then be seen to be racked to, nanoseconds.
    static let glance: Int64 = 500_000_000

    /// Record of one frame of a live run.
    public struct Recorded: Sendable, Equatable {
        /// Nanoseconds of presentation time, increasing.
        public var time: Int64
        /// Detections of the frame, under the session's object IDs.
        public var detections: [Detection]
        /// Focus state of the frame, live.
        public var state: FocusState
        /// Decisions taken in the frame.
        public var decisions: [FocusDecision]
        /// The shot of edited footage; nil where no cuts are looked for.
        public var shot: Int?

        /// Creates the record of a frame; `time` in nanoseconds.
        public init(time: Int64, detections: [Detection], state: FocusState, decisions: [FocusDecision], shot: Int? = nil) {
            (self.time, self.detections, self.state, self.decisions) = (time, detections, state, decisions)
            self.shot = shot
        }
    }

    /// Focus states with look-ahead, one for each recorded frame; nothing leads from one shot to the next.
    public static func states(of frames: [Recorded], _ tuning: FocusTuning = FocusTuning()) -> [FocusState] {
        var states: [FocusState] = []
        while states.count < frames.count {
            let rest = frames[states.count...]
            states += Self.states(ofShot: Array(rest.prefix { $0.shot == rest.first?.shot }), fromItsStart: true, tuning)
        }
        return states
    }

    /// The same of frames of one shot; those ahead of them may be left out where focus rests in the first.
    static func states(ofShot frames: [Recorded], fromItsStart isFirst: Bool, _ tuning: FocusTuning) -> [FocusState] {
        var itinerary = Itinerary(frames, tuning)
        if isFirst, frames.first?.shot != nil { itinerary.openOnFirstSubject() }
        let legs = itinerary.legs
        guard let first = legs.first else { return frames.map(\.state) }
        var ring = FocusRing(position: first.line[0])
        var (leg, states) = (0, [FocusState]())
        for (index, frame) in frames.enumerated() {
            let elapsed = index == 0 ? 0 : seconds(frame.time - frames[index - 1].time)
            ring.follow(legs[leg].aim(at: index, frames), at: frame.time, elapsed: elapsed, tuning)
            while leg + 1 < legs.count, legs[leg + 1].start <= index {
                leg += 1
                let (aim, arrival, lead) = (legs[leg].aim(at: index, frames), legs[leg].arrival, legs[leg].lead)
                let time = frames[arrival].time - frame.time
                guard time > 0 else {
                    ring.snap(to: aim)
                    continue
                }
                let (begin, first) = (frame.time - lead, aim.earlier(by: seconds(lead)))
                if lead > 0 {
                    let before = legs[leg - 1].aim(at: index, frames).earlier(by: seconds(lead))
                    if ring.rack == nil { ring.snap(to: before) } else { ring.follow(before, at: begin, elapsed: 0, tuning) }
                }
                ring.move(along: first, to: legs[leg].line[arrival], at: begin, lasting: time + lead, legs[leg].ease, tuning)
                if lead > 0 { ring.follow(aim, at: frame.time, elapsed: 0, tuning) }
            }
            var state = frame.state
            (state.focusDisparity, state.rack) = (max(0, ring.position), ring.rack)
            states.append(state)
        }
        return states
    }
}

/// Legs of a run: one for each subject or plane that focus aims at.
private struct Itinerary {
    struct Leg {
        /// Frame in which the rack to it begins.
        var start: Int
        /// Nanoseconds by which the rack begins ahead of the first frame.
        var lead: Int64 = 0
        /// Frame in which it is to be sharp.
        var arrival: Int
        /// Frame behind the last in which it can be: the subject is not seen any more, or focus leaves it.
        var end: Int
        /// Object ID of the subject; nil where focus has none, or a fixed plane.
        var subject: Int?
        var line: Line
        /// Curve of the rack to it.
        var ease: Ease
        var isOrdered = false
        /// Least time in which it must be sharp to be racked to, nanoseconds.
        var least: Int64

        /// Aim in a frame: before the arrival, the arrival's disparity extrapolated backwards at the speed it will have then, since the subject's
        /// earlier path does not matter.
        func aim(at index: Int, _ frames: [LookAhead.Recorded]) -> Aim {
            let speed = speed(at: max(index, arrival), frames)
            guard index < arrival else { return Aim(position: line[index], speed: speed) }
            return Aim(position: line[arrival] - speed * seconds(frames[arrival].time - frames[index].time), speed: speed)
        }

        private func speed(at index: Int, _ frames: [LookAhead.Recorded]) -> Double {
            guard frames.count > 1 else { return 0 }
            let from = min(index, frames.count - 2)
            return (line[from + 1] - line[from]) / seconds(frames[from + 1].time - frames[from].time)
        }
    }

    /// Disparity in every frame, 1/m; constant before the first and after the last measurement.
    struct Line {
        /// Frame of the first value.
        var first: Int
        var values: [Double]

        subscript(index: Int) -> Double { values[min(max(index - first, 0), values.count - 1)] }
    }

    private let frames: [LookAhead.Recorded]
    private let tuning: FocusTuning
    /// Time from which on what is in focus in the first frame is sharp, nanoseconds: of a part of a take, that of the decision in effect.
    private let origin: Int64
    private(set) var legs: [Leg] = []
    /// Frames between the leaps of a subject, and its line there, by its object ID.
    private var lines: [Int: [(frames: Range<Int>, line: Line)]] = [:]

    init(_ frames: [LookAhead.Recorded], _ tuning: FocusTuning) {
        (self.frames, self.tuning) = (frames, tuning)
        origin = frames.first.map { first in min(first.time, first.decisions.last?.time ?? first.time) } ?? 0
        var begin = 0
        while begin < frames.count {
            let end = (begin + 1..<frames.count).first { isOther($0, than: begin) || course(of: $0) != nil } ?? frames.count
            addLegs(from: begin, to: end)
            begin = end
        }
    }

    private func isOther(_ index: Int, than begin: Int) -> Bool {
        frames[index].state.subject != frames[begin].state.subject || frames[index].state.fixedPoint != frames[begin].state.fixedPoint
    }

    /// Course that was ordered in a frame, also for the subject that is in focus already; nil for none.
    private func course(of index: Int) -> RackCourse? { frames[index].decisions.last(where: \.isUserDecision)?.course }

    /// Adds a leg for a subject and for each place that it jumps to.
    private mutating func addLegs(from begin: Int, to end: Int) {
        let state = frames[begin].state
        let course = course(of: begin)
        guard !state.isFixed, let subject = state.subject else {
            let line = Line(first: begin, values: (begin..<end).map { rest(at: $0, from: begin) })
            return add(begin..<end, chosen: begin, subject: nil, line: line, course)
        }
        // An order is for the place where the subject is as the rack lands.
        let landing = course?.landing.flatMap(firstFrame(from:))
        let aimed = min(max(landing ?? begin, begin), end - 1)
        for (place, line) in lines(of: subject) where place.lowerBound < end && place.upperBound > aimed {
            let first = max(place.lowerBound, begin)
            let last = (first..<min(end, place.upperBound)).last { index in frames[index].detections.contains { $0.objectID == subject } }
            add(first..<(last ?? first) + 1, chosen: begin, subject: subject, line: line, place.lowerBound <= aimed ? course : nil)
        }
    }

    /// Lines of a subject from leap to leap, of the whole record.
    private mutating func lines(of subject: Int) -> [(frames: Range<Int>, line: Line)] {
        if let known = lines[subject] { return known }
        var measured = frames.map { frame in frame.detections.first { $0.objectID == subject }?.disparity }
        var leaps = [0]
        var last: Double?
        for (index, value) in measured.enumerated() {
            guard let value else { continue }
            if let last, abs(value - last) > tuning.outlier {
                if lasts(index, value, measured) { leaps.append(index) } else if returns(to: last, from: index, measured) { measured[index] = nil }
            }
            if last == nil || abs(value - last!) <= tuning.outlier || leaps.last == index { last = value }
        }
        leaps.append(frames.count)
        let found = zip(leaps, leaps.dropFirst()).compactMap { from, until in
            smooth(measured, from: from, to: until).map { (frames: from..<until, line: $0) }
        }
        lines[subject] = found
        return found
    }

    /// Disparity of a leg without a subject: a fixed plane stays; without either focus does as it did live, once it got there.
    private func rest(at index: Int, from begin: Int) -> Double {
        let state = frames[index].state
        if !state.isFixed { return state.focusDisparity }
        return frames[begin].decisions.last?.disparity ?? frames[begin].state.rack?.to ?? state.focusDisparity
    }

    /// Whether measurements from `index` on stay near `value` for as long as an outlier takes to be confirmed.
    private func lasts(_ index: Int, _ value: Double, _ measured: [Double?]) -> Bool {
        for later in index..<frames.count {
            if let next = measured[later], abs(next - value) > tuning.outlier { return false }
            if frames[later].time - frames[index].time >= tuning.outlierConfirm { return true }
        }
        return true
    }

    /// Whether measurements that leave `value` in a frame are near it again soon, in twice the time in which an outlier is confirmed: the filter, which hears
    /// of the way back only later, would take some for a leap from one side.
    private func returns(to value: Double, from index: Int, _ measured: [Double?]) -> Bool {
        let end = frames[index].time + 2 * tuning.outlierConfirm
        return (index + 1..<frames.count).prefix { frames[$0].time <= end }.contains { later in
            measured[later].map { abs($0 - value) <= tuning.outlier } ?? false
        }
    }

    /// Smooths measurements forwards and backwards, so that neither noise nor lag remains; nil when there are none.
    private func smooth(_ measured: [Double?], from: Int, to: Int) -> Line? {
        guard let first = (from..<to).first(where: { measured[$0] != nil }), let last = (from..<to).last(where: { measured[$0] != nil })
        else { return nil }
        let forth = track(measured, Array(first...last))
        let back = track(measured, (first...last).reversed())
        return Line(first: first, values: zip(forth, back.reversed()).map { ($0 + $1) / 2 })
    }

    private func track(_ measured: [Double?], _ order: [Int]) -> [Double] {
        let before = [order[0]] + order.dropLast()
        return DisparitySmoothing.smoothed(
            zip(order, before).map { (elapsed: abs(seconds(frames[$0].time - frames[$1].time)), disparity: measured[$0]) }, tuning)
    }

    /// Leads the first subject back to the first frame: what focus did before it is dropped.
    mutating func openOnFirstSubject() {
        // Ahead of a part somebody was in focus.
        guard origin == frames[0].time else { return }
        let opening = frames[0].time + tuning.opening
        let unaimed = legs.prefix { $0.subject == nil }.count
        let inOpening = legs.lastIndex { $0.subject != nil && frames[$0.arrival].time < opening }
        guard let first = inOpening ?? (unaimed < legs.count && canOpen(on: legs[unaimed]) ? unaimed : nil) else { return }
        guard !frames[...legs[first].arrival].contains(where: { $0.decisions.contains(where: \.isUserDecision) }) else { return }
        legs.removeFirst(first)
        (legs[0].start, legs[0].arrival) = (0, 0)
    }

    /// Whether a subject chosen after the opening may have been there from the start.
    private func canOpen(on leg: Leg) -> Bool {
        guard frames[leg.arrival].time < frames[0].time + tuning.openingKnown else { return false }
        let first = frames.lazy.compactMap { frame in frame.detections.first { $0.objectID == leg.subject } }.first
        return first.map { $0.bounds.minX > tuning.edge && $0.bounds.maxX < 1 - tuning.edge } ?? false
    }

    /// Adds a leg that is sharp in a range of frames, whose rack ends as that begins, or keeps to the course that was ordered. Glances ahead of it, and
    /// legs that would begin no earlier, are dropped, and orders that would land no earlier than this one.
    private mutating func add(_ sharp: Range<Int>, chosen: Int, subject: Int?, line: Line, _ course: RackCourse?) {
        let isUsers = sharp.lowerBound == chosen && frames[chosen].decisions.last?.isUserDecision == true
        // A fixed plane does not move, also for a moment.
        let least = frames[chosen].state.isFixed ? 0 : isUsers ? tuning.rackShortest : LookAhead.glance
        var leg = Leg(
            start: 0, arrival: sharp.lowerBound, end: sharp.upperBound, subject: subject, line: line, ease: course?.ease ?? tuning.rackEase,
            isOrdered: course != nil, least: least)
        if let landing = course?.landing { leg.arrival = max(firstFrame(from: landing) ?? frames.count - 1, chosen) }
        while let previous = legs.last {
            guard let placed = course.map({ place(leg, after: previous, $0) }) ?? place(leg, after: previous) else { return }
            let isSuperseded =
                previous.isOrdered
                ? course != nil && previous.arrival >= placed.arrival : !begins(previous, before: placed) || isGlance(previous)
            guard isSuperseded, legs.count > 1 else {
                leg = placed
                // Nothing is racked to what is in focus already.
                if previous.arrival <= leg.start, previous.line[leg.arrival] == leg.line[leg.arrival] { leg.start = leg.arrival }
                break
            }
            legs.removeLast()
        }
        if legs.isEmpty { leg.arrival = 0 }
        legs.append(leg)
    }

    /// Whether the rack to a leg begins before that to another.
    private func begins(_ leg: Leg, before other: Leg) -> Bool { (leg.start, -leg.lead) < (other.start, -other.lead) }

    /// Whether there is too little time to look at a leg's subject; of one that is not the last.
    private func isGlance(_ leg: Leg) -> Bool {
        frames[min(leg.end, frames.count - 1)].time - frames[leg.arrival].time < leg.least
    }

    /// A leg of an automatic rack: as long before its end as its distance asks for, but not before the subject ahead of it was sharp; behind an order it
    /// lands `rackShortest` later at least, and is nil where the record ends before.
    private func place(_ leg: Leg, after previous: Leg) -> Leg? {
        var leg = leg
        let free = arrival(of: previous)
        if previous.isOrdered, frames[leg.arrival].time < free + tuning.rackShortest {
            guard let arrival = firstFrame(from: free + tuning.rackShortest) else { return nil }
            leg.arrival = arrival
        }
        begin(&leg, at: max(frames[leg.arrival].time - length(of: leg, after: previous), free))
        return leg
    }

    /// The leg of an ordered rack: as long before its end as was ordered, but not before an order ahead of it has landed.
    private func place(_ leg: Leg, after previous: Leg, _ course: RackCourse) -> Leg {
        var leg = leg
        let due = frames[leg.arrival].time
        let free = previous.isOrdered ? min(arrival(of: previous), due) : origin
        begin(&leg, at: max(due - course.length(automatic: length(of: leg, after: previous)), free))
        return leg
    }

    /// Nil where the record ends before.
    private func firstFrame(from time: Int64) -> Int? { frames.firstIndex { $0.time >= time } }

    /// Time from which on a leg's subject is sharp, nanoseconds.
    private func arrival(of leg: Leg) -> Int64 { leg.arrival == 0 ? origin : frames[leg.arrival].time }

    /// Lets a rack begin with the first frame from a time on; ahead of the first by as many frames as there would be.
    private func begin(_ leg: inout Leg, at time: Int64) {
        leg.start = min(firstFrame(from: time) ?? leg.arrival, leg.arrival)
        guard time < frames[0].time, frames.count > 1 else { return }
        let frame = frames[1].time - frames[0].time
        // A microsecond more, since times of frames are rounded.
        leg.lead = (frames[0].time - time + 1000) / frame * frame
    }

    /// Length of an automatic rack, nanoseconds.
    private func length(of leg: Leg, after previous: Leg) -> Int64 {
        FocusRing.duration(of: abs(leg.line[leg.arrival] - previous.line[leg.arrival]), tuning)
    }
}

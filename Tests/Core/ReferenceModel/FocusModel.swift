import Focus
import Foundation
import Pipeline

/// The rules of focus once more, slow and obvious, to hold the engine against.
///
/// It keeps all that was ever seen and all that was ever decided, and looks everything up in those two lists, from the beginning, in
/// every frame. It knows no filters and no racks: distances here change by leaps or not at all.
struct FocusModel {
    let tuning: FocusTuning
    var looks: [Look] = []
    var log: [Entry] = []
    /// From this look on, waiting to be chosen counts.
    private var countsFrom = 0

    struct Look {
        var time: Int64
        var seen: [Detection]
        /// Subjects that were prominent enough to take focus then.
        var ahead: [Int] = []
    }

    struct Entry: Equatable {
        var time: Int64
        var subject: Int?
        var mode: FocusMode
        var isFixed = false
        var isUser: Bool
        var why: FocusDecision.Why
        /// The person of `subject`.
        var person: Int?
        /// The object the user named.
        var pinned: Int?
        /// Whether the subject looked away as the user chose it; a plane always does.
        var wasAway = false
    }

    init(tuning: FocusTuning) { self.tuning = tuning }

    /// One frame; returns the requests that change nothing.
    mutating func step(at time: Int64, detections: [Detection], requests: [FocusRequest]) -> [FocusRequest] {
        looks.append(Look(time: time, seen: detections.sorted { ($0.kind.place, $0.objectID) < ($1.kind.place, $1.objectID) }))
        let refused = requests.filter { !serve($0) }
        keep()
        choose()
        return refused
    }

    var now: Int64 { looks[looks.count - 1].time }
    private var current: Entry? { log.last }

    // MARK: What the user asks

    private mutating func serve(_ request: FocusRequest) -> Bool {
        switch request {
        case .ordered(let request, _):
            guard serve(request) else { return false }
            log[log.count - 1].why = .ordered
            return true
        case .fix(_, let disparity, let objectID, let mode):
            guard disparity.isFinite, disparity >= 0 else { return false }
            return fix(objectID, mode == .strong ? .strong : .weak, mode == .strong ? .fixedByPress : .api)
        case .track(let objectID, let asked):
            let mode: FocusMode = asked == .strong ? .strong : .weak
            let isWeaklyOnIt = current?.subject == objectID && current?.mode == .weak
            let why: FocusDecision.Why = mode == .weak ? .tapUnfocused : isWeaklyOnIt ? .tapWeakAgain : .api
            if let current, current.isFixed, current.subject == objectID { return fix(objectID, mode, why) }
            guard let last = lastLook(ofObject: objectID), now - last.time <= tuning.coast else { return false }
            let person = last.detection.person
            log.append(
                Entry(
                    time: now, subject: objectID, mode: mode, isUser: true, why: why, person: person, pinned: objectID,
                    wasAway: isAway(person)))
            countsFrom = looks.count - 1
            return true
        }
    }

    private mutating func fix(_ objectID: Int, _ mode: FocusMode, _ why: FocusDecision.Why) -> Bool {
        log.append(Entry(time: now, subject: objectID, mode: mode, isFixed: true, isUser: true, why: why, wasAway: true))
        countsFrom = looks.count - 1
        return true
    }

    // MARK: Who is kept

    private mutating func keep() {
        guard let current, let person = current.person else { return }
        if let member = standIn(for: person, pinned: current.pinned) {
            guard member.objectID != current.subject else { return }
            var next = current
            (next.time, next.subject, next.isUser, next.why) = (now, member.objectID, false, .groupMember)
            return log.append(next)
        }
        guard let last = lastLook(of: person) else { return }
        guard now - last.time >= (current.mode == .strong ? tuning.strongLost : tuning.weakLost), hasRested(tuning.dwell) else { return }
        countsFrom = looks.count - 1
        if let next = mostProminent(candidates) { return take(next, isAtEdge(last.seen[0].bounds) ? .exited : .lost) }
        log.append(Entry(time: now, mode: .none, isUser: false, why: .nothingLeft))
    }

    private func isAtEdge(_ box: CGRect) -> Bool { !CGRect(x: 0, y: 0, width: 1, height: 1).insetBy(dx: tuning.edge, dy: tuning.edge).contains(box) }

    // MARK: Who is next

    private mutating func choose() {
        guard let current, current.mode != .none else {
            if hasRested(tuning.dwell), let next = mostProminent(candidates) { take(next, .entered) }
            return
        }
        let incumbentIsAway = current.person.map(isAway) ?? false
        guard current.mode == .weak, !isProtected(from: incumbentIsAway) else { return }
        let mark = current.person.map(prominence) ?? tuning.fixedProminence
        var ready: [(person: Int, why: FocusDecision.Why)] = []
        for person in candidates where person != current.person {
            let (why, ratio) = claim(of: person, incumbentIsAway)
            guard prominence(of: person) >= ratio * mark else { continue }
            looks[looks.count - 1].ahead.append(person)
            if why == .facedAway || now - aheadSince(person) >= tuning.dwell { ready.append((person, why)) }
        }
        guard let best = mostProminent(ready.map(\.person)), hasRested(tuning.switchInterval) else { return }
        take(best, ready.first { $0.person == best }!.why)
        countsFrom = looks.count
    }

    private func claim(of person: Int, _ incumbentIsAway: Bool) -> (FocusDecision.Why, Double) {
        if isAway(person) { return (.moreProminent, tuning.hysteresis) }
        if incumbentIsAway { return (.facedAway, tuning.awayRatio) }
        if isOwedReturn(person) { return (.facedBack, tuning.backRatio) }
        let isNew = now - firstLook(of: person) < tuning.newcomer && !log.contains { $0.person == person && $0.time >= firstLook(of: person) }
        return isNew ? (.entered, tuning.enterRatio) : (.moreProminent, tuning.hysteresis)
    }

    /// The user's weak choice stands for a time, unless its subject turns away meanwhile.
    private func isProtected(from incumbentIsAway: Bool) -> Bool {
        guard let choice = log.last(where: { $0.why != .groupMember }), choice.isUser else { return false }
        return now < choice.time + tuning.weakHold && !(incumbentIsAway && !choice.wasAway)
    }

    /// Focus left it because it looked away, and neither was back since nor was sent elsewhere by the user.
    private func isOwedReturn(_ person: Int) -> Bool {
        for (index, entry) in log.enumerated().reversed() {
            if entry.isUser || entry.person == person { return false }
            if entry.why == .facedAway, index > 0, log[index - 1].person == person { return entry.time >= firstLook(of: person) }
        }
        return false
    }

    private func aheadSince(_ person: Int) -> Int64 {
        var since = now
        for look in looks[countsFrom...].reversed() {
            guard look.ahead.contains(person) else { break }
            since = look.time
        }
        return since
    }

    private func hasRested(_ pause: Int64) -> Bool {
        log.last { !$0.isUser && $0.why != .groupMember }.map { now - $0.time >= pause } ?? true
    }

    private mutating func take(_ person: Int, _ why: FocusDecision.Why) {
        log.append(Entry(time: now, subject: standIn(for: person)?.objectID, mode: .weak, isUser: false, why: why, person: person))
    }

    /// People in the picture whom automatic choice may take, each once.
    private var candidates: [Int] {
        var people: [Int] = []
        for look in looks.reversed() where now - look.time <= tuning.coast {
            for detection in look.seen where !people.contains(detection.person) { people.append(detection.person) }
        }
        return people.filter { person in
            let first = firstLook(of: person)
            let isThing = lastLook(of: person)!.seen[0].kind == .salientObject
            return (looks.count == 1 || now - first >= tuning.confirm)
                && (!isThing || log.contains { $0.isUser && $0.person == person && $0.time >= first })
        }
    }

    /// Ties go to the lowest object ID.
    private func mostProminent(_ people: [Int]) -> Int? {
        let ranked = people.map { (person: $0, prominence: prominence(of: $0)) }
        let best = ranked.filter { one in ranked.allSatisfy { one.prominence >= $0.prominence } }
        return best.count > 1 ? best.min { firstID(of: $0.person) < firstID(of: $1.person) }?.person : best.first?.person
    }

    private func firstID(of person: Int) -> Int { looks.flatMap(\.seen).filter { $0.person == person }.map(\.objectID).min() ?? .max }
}

import Foundation
import Pipeline

/// Automatic choice: keeping the subject in focus, leaving it, and choosing the next.
extension FocusEngine {
    /// Follows the subject in focus from one member of its group to the next, and leaves it once it has been missing for long enough.
    mutating func keepTarget(at time: Int64) {
        guard let target = hold.target else { return }
        guard let index = subjects.index(ofObject: target.objectID) else { return leave(because: .lost, at: time) }
        if let member = subjects.representative(of: index, at: time, pinned: target.pinned, tuning) {
            let objectID = subjects.tracks[member].objectID
            if objectID != target.objectID { hand(to: objectID, at: time) }
            return
        }
        guard time - subjects.lastSeen(of: index) >= patience(with: index, at: time), hasRested(for: tuning.dwell, at: time) else { return }
        leave(because: subjects.hasLeft(index, tuning) ? .exited : .lost, at: time)
    }

    /// Time for which a missing subject is waited for; a thing that the detector offered is withdrawn on purpose where somebody is, or another thing.
    private func patience(with index: Int, at time: Int64) -> Int64 {
        if case .strong = hold { return tuning.strongLost }
        if subjects.isOfferedThing(index), subjects.all.indices.contains(where: { isCandidate($0, at: time) }) { return tuning.coast }
        // Whom the picture's edge took is not missed by a detector.
        return subjects.isFootage && !subjects.hasLeft(index, tuning) ? tuning.footageLost : tuning.weakLost
    }

    /// Takes a better subject where the hold and the tuning allow.
    mutating func chooseAutomatically(at time: Int64) {
        switch hold {
        case .strong, .fixed(_, .strong, _), .fixed(_, .none, _): break
        case .nothing:
            guard hasRested(for: tuning.dwell, at: time), let next = mostProminent(at: time), mayOpen(on: next, at: time) else { return }
            take(next, why: .entered, at: time)
        case .fixed(_, .weak, let protection):
            guard time >= protection.until else { return subjects.stopWaiting() }
            compete(with: tuning.fixedProminence, incumbent: nil, at: time)
        case .weak(let target, let protection):
            guard let index = subjects.index(ofObject: target.objectID) else { return }
            let isAway = subjects[index].facing.isAway
            guard time >= protection.until || (isAway && !protection.evenAway) else { return subjects.stopWaiting() }
            compete(with: subjects[index].prominence, incumbent: index, at: time)
        }
    }

    /// Compares every challenger with the incumbent; the most prominent of those ahead for the dwell takes focus.
    private mutating func compete(with prominence: Double, incumbent: Int?, at time: Int64) {
        var winner: (index: Int, prominence: Double, why: FocusDecision.Why)?
        let besidePerson = isPersonCandidate(at: time)
        for index in subjects.all.indices where index != incumbent {
            guard isCandidate(index, at: time) else {
                subjects[index].aheadSince = nil
                continue
            }
            let challenger = subjects[index]
            let claim = claim(of: index, over: incumbent, at: time)
            let own = rank(of: index, besidePerson: besidePerson)
            guard challenger.prominence >= claim.ratio * prominence else {
                subjects[index].aheadSince = nil
                continue
            }
            let since = challenger.aheadSince ?? time
            subjects[index].aheadSince = since
            guard (claim.why == .facedAway && !subjects.isFootage) || time - since >= dwell(of: index, over: incumbent) else { continue }
            if winner.map({ isAhead(index, own, of: $0.index, $0.prominence) }) ?? true { winner = (index, own, claim.why) }
        }
        guard let winner, hasRested(for: rest(before: winner.index, over: incumbent), at: time) else { return }
        if let incumbent, winner.why == .facedAway { subjects[incumbent].leftWhenAway = true }
        take(winner.index, why: winner.why, at: time)
    }

    /// Time for which a challenger must stay ahead.
    func dwell(of index: Int, over incumbent: Int?) -> Int64 {
        isUrgent(index, over: incumbent) ? tuning.confirm : subjects.isFootage ? tuning.footageDwell : tuning.dwell
    }

    /// Least time from the last automatic switch to one that leaves a subject that is still there.
    private func rest(before index: Int, over incumbent: Int?) -> Int64 {
        if isOpening { return 0 }
        if isUrgent(index, over: incumbent) { return tuning.dwell }
        return subjects.isFootage ? tuning.footageInterval : tuning.switchInterval
    }

    /// Whether a challenger need not wait: in the opening of a shot, and somebody beside a thing that the detector offered.
    private func isUrgent(_ index: Int, over incumbent: Int?) -> Bool {
        isOpening || incumbent.map { subjects.isOfferedThing($0) && !subjects.isOfferedThing(index) } ?? false
    }

    /// Ratio of prominence that a challenger needs over the incumbent, and the reason its decision would have.
    func claim(of index: Int, over incumbent: Int?, at time: Int64) -> (ratio: Double, why: FocusDecision.Why) {
        var claim = usualClaim(subjects[index], over: incumbent, at: time)
        if let incumbent, subjects.isPet(index), subjects.isFacingPerson(incumbent) { claim.ratio = max(claim.ratio, tuning.petRatio) }
        return claim
    }

    private func usualClaim(_ challenger: Subject, over incumbent: Int?, at time: Int64) -> (ratio: Double, why: FocusDecision.Why) {
        guard !challenger.facing.isAway else { return (tuning.hysteresis, .moreProminent) }
        if let incumbent, subjects[incumbent].facing.isAway { return (tuning.awayRatio, .facedAway) }
        if challenger.leftWhenAway { return (tuning.backRatio, .facedBack) }
        if !challenger.wasFocused, time - challenger.firstSeen < tuning.newcomer { return (tuning.enterRatio, .entered) }
        return (tuning.hysteresis, .moreProminent)
    }

    /// Whether the opening of a shot may take its first subject. Detectors find people one after another: after the first frame one that is less
    /// prominent than `openingSure` is taken once somebody has been seen for `confirm`. Things are offered late enough.
    private func mayOpen(on index: Int, at time: Int64) -> Bool {
        guard isOpening, !isFirstStep, !subjects.isOfferedThing(index), subjects[index].prominence < tuning.openingSure else { return true }
        return subjects.all.indices.contains { isCandidate($0, at: time) && time - subjects[$0].firstSeen >= tuning.confirm }
    }

    func isCandidate(_ index: Int, at time: Int64) -> Bool {
        guard subjects[index].standIn != nil, subjects.isEligible(index) else { return false }
        return isFirstStep || isOpening || time - subjects[index].firstSeen >= tuning.confirm
    }

    func mostProminent(at time: Int64) -> Int? {
        var best: (index: Int, prominence: Double)?
        let besidePerson = isPersonCandidate(at: time)
        for index in subjects.all.indices where isCandidate(index, at: time) {
            let own = rank(of: index, besidePerson: besidePerson)
            if best.map({ isAhead(index, own, of: $0.index, $0.prominence) }) ?? true { best = (index, own) }
        }
        return best?.index
    }

    private func isPersonCandidate(at time: Int64) -> Bool {
        subjects.all.indices.contains { isCandidate($0, at: time) && subjects.isFacingPerson($0) }
    }

    /// Prominence for ranking: a pet's is divided by `petRatio` where a person facing the camera is a candidate.
    private func rank(of index: Int, besidePerson: Bool) -> Double {
        subjects[index].prominence / (besidePerson && subjects.isPet(index) ? tuning.petRatio : 1)
    }

    /// Whether one subject outranks another by prominence; ties go to the lower object ID.
    private func isAhead(_ index: Int, _ own: Double, of rival: Int, _ rivals: Double) -> Bool {
        func firstID(_ index: Int) -> Int { subjects.firstID(of: index) ?? .max }
        return own == rivals ? firstID(index) < firstID(rival) : own > rivals
    }

    private func hasRested(for duration: Int64, at time: Int64) -> Bool { lastSwitch.map { time - $0 >= duration } ?? true }

    private mutating func take(_ index: Int, why: FocusDecision.Why, at time: Int64) {
        guard let member = subjects[index].standIn else { return }
        subjects.startOver(focusing: index)
        lastSwitch = time
        decide(.weak(Target(objectID: subjects.tracks[member].objectID), Protection()), why: why, isUser: false, at: time)
    }

    private mutating func leave(because why: FocusDecision.Why, at time: Int64) {
        if let next = mostProminent(at: time) { return take(next, why: why, at: time) }
        lastSwitch = time
        decide(.nothing, why: .nothingLeft, isUser: false, at: time)
    }

    private mutating func hand(to objectID: Int, at time: Int64) {
        switch hold {
        case .weak(let target, let protection):
            decide(.weak(Target(objectID: objectID, pinned: target.pinned), protection), why: .groupMember, isUser: false, at: time)
        case .strong(let target):
            decide(.strong(Target(objectID: objectID, pinned: target.pinned)), why: .groupMember, isUser: false, at: time)
        case .nothing, .fixed: break
        }
    }
}

extension SubjectList {
    /// Clears claims of return and waiting times after a user decision.
    mutating func forgetAutomaticHistory() {
        for index in all.indices { (self[index].leftWhenAway, self[index].aheadSince) = (false, nil) }
    }

    /// Resets waiting times while nothing may compete: challengers must lead anew for the whole dwell.
    mutating func stopWaiting() {
        for index in all.indices { self[index].aheadSince = nil }
    }

    /// Resets waiting times as focus goes to a subject.
    mutating func startOver(focusing focused: Int) {
        stopWaiting()
        (self[focused].wasFocused, self[focused].leftWhenAway) = (true, false)
    }
}

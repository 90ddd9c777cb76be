import Pipeline

/// Withheld decisions: the reasons that keep automatic choice from moving on.
extension FocusEngine {
    /// Last withheld decision and its end; reported again only after a dwell without it, so that noise does not repeat it.
    struct Withholding: Equatable {
        var person: Int?
        var because: WithheldDecision.Because
        var until: Int64
    }

    /// Reports the decision withheld in this frame, if that is new.
    mutating func noteWithheld(at time: Int64) -> [WithheldDecision] {
        guard decisions.isEmpty, let (index, why, because) = withheld(at: time) else { return [] }
        let person = index.flatMap { subjects.firstID(of: $0) }
        let isKnown = withholding.map { $0.person == person && $0.because == because && time - $0.until <= tuning.dwell } ?? false
        withholding = Withholding(person: person, because: because, until: time)
        guard !isKnown else { return [] }
        let object = index.flatMap { subjects[$0].standIn }.map { subjects.tracks[$0] }
        return [WithheldDecision(time: time, subject: object?.objectID, why: why, because: because, disparity: object?.disparity.position)]
    }

    private typealias Reason = (index: Int?, why: FocusDecision.Why, because: WithheldDecision.Because)

    private func withheld(at time: Int64) -> Reason? {
        guard let target = hold.target else {
            guard case .fixed = hold else { return mostProminent(at: time).map { ($0, .entered, .justSwitched) } }
            return foremost(over: tuning.fixedProminence, incumbent: nil, at: time)
        }
        guard let incumbent = subjects.index(ofObject: target.objectID) else { return nil }
        guard subjects.representative(of: incumbent, at: time, pinned: target.pinned, tuning) != nil else {
            return (mostProminent(at: time), .lost, .missing)
        }
        return foremost(over: subjects[incumbent].prominence, incumbent: incumbent, at: time)
    }

    /// Most prominent challenger with a reason to take focus, and its restraint.
    private func foremost(over mark: Double, incumbent: Int?, at time: Int64) -> Reason? {
        var best: (own: Double, reason: Reason)?
        for index in subjects.all.indices where index != incumbent && isCandidate(index, at: time) {
            let own = subjects[index].prominence
            guard own > best?.own ?? 0, let reason = obstacle(to: index, own, over: mark, incumbent: incumbent, at: time) else { continue }
            best = (own, reason)
        }
        return best?.reason
    }

    private func obstacle(to index: Int, _ own: Double, over mark: Double, incumbent: Int?, at time: Int64) -> Reason? {
        let (challenger, facing) = (subjects[index], incumbent.map { subjects[$0].facing } ?? .camera)
        let claim = claim(of: index, over: incumbent, at: time)
        if own >= claim.ratio * mark { return (index, claim.why, restraint(of: index, over: incumbent, claim.why, facing, at: time)) }
        guard hold.mode == .weak else { return nil }
        if case .leaving = facing, !challenger.facing.isAway, own >= tuning.awayRatio * tuning.awayFactor * mark {
            return (index, .facedAway, .grace)
        }
        if case .returning = challenger.facing, challenger.leftWhenAway, own >= tuning.backRatio * tuning.awayFactor * mark {
            return (index, .facedBack, .grace)
        }
        return own > mark ? (index, claim.why, .lead) : nil
    }

    /// Restraint of a challenger that is prominent enough.
    private func restraint(
        of index: Int, over incumbent: Int?, _ why: FocusDecision.Why, _ facing: Facing, at time: Int64
    ) -> WithheldDecision.Because {
        switch hold {
        case .strong: return .strong
        case .fixed(_, .weak, let protection) where time < protection.until: return .protected
        case .fixed(_, .strong, _), .fixed(_, .none, _): return .fixed
        case .weak(_, let protection) where time < protection.until && !(facing.isAway && !protection.evenAway): return .protected
        case .nothing, .weak, .fixed: break
        }
        if why == .facedAway, !subjects.isFootage { return .justSwitched }
        let hasWaited = subjects[index].aheadSince.map { time - $0 >= dwell(of: index, over: incumbent) } ?? false
        return hasWaited ? .justSwitched : .dwell
    }
}

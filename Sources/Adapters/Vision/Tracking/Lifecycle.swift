/// Presence of one tracked object, whether a face, a cat's head, a body or a thing.
///
///     candidate ──confirmed──► seen ◄──detected──► coasting ◄──found again──► hidden
///         │                     │      missed         │       covered, lost     │
///         └─────────────────────┴─────────► gone ◄────┴─────────────────────────┘
///
/// Besides, what is covered goes from seen to hidden, and what is detected while hidden is seen.
///
/// | state | presence | reported |
/// |---|---|---|
/// | candidate | its detections do not suffice for an object ID | no |
/// | seen | a detector saw it, now or a moment ago | yes |
/// | coasting | no detector sees it; flow, appearance and depth carry it | yes, a person's face excepted |
/// | hidden | something else is at its place; remembered by its colours | no |
/// | gone | left, forgotten or superseded; nothing brings it back | no |
///
/// `after` is the only transition. It reads no picture and no clock: times are nanoseconds of presentation time.
enum Lifecycle: Equatable {
    case candidate(Evidence, Contact)
    case seen(Contact)
    /// `refound`: detections since it coasts or is hidden, of which a face needs more than one to be seen again.
    case coasting(Contact, refound: Int)
    case hidden(Contact, refound: Int)
    case gone

    /// Detections that speak for a candidate.
    struct Evidence: Equatable {
        /// Detections; one with many raw windows counts for two.
        var count = 0
        /// Raw windows behind them.
        var support = 0
        /// Whether one of them was enough alone.
        var isSure = false
    }

    /// Detections of a track, and the times of its certain presence.
    struct Contact: Equatable {
        /// Frames in which a detector saw it.
        var hits = 0
        /// Verifications in a row without a detection.
        var misses = 0
        /// Time of the last detection.
        var lastHit: Int64
        /// Last time at which it was certainly at its place, by a detection or by appearance and depth.
        var lastHeld: Int64
        /// Last time at which something nearer was in front of its place; nil when nothing ever was.
        var lastCovered: Int64?
    }

    /// Change of what is known of an object in one frame.
    enum Event: Equatable {
        /// A detector saw it: evidence 1, or 2 with many raw windows; sure where one detection is enough.
        case detected(evidence: Int, support: Int, isSure: Bool)
        /// A detector searched its place in vain.
        case missed
        /// Flow, appearance and depth were measured at its place; follows the other events of a frame.
        case observed(Observation)
        /// Nothing can be seen through the lens.
        case lensCovered
        /// Another track took its place.
        case superseded
    }

    /// Presence of a track by everything but its detector.
    struct Observation: Equatable {
        /// Whether enough of it is inside the picture.
        var isInside = true
        /// Whether it is going out by a side of the picture.
        var isLeaving = false
        /// Whether something nearer is in front of it.
        var isCovered = false
        /// Whether appearance, flow and depth agree that it is at its place.
        var isHeld = false
        /// Whether the detector's result on it is in: false while a background search goes on.
        var isVerified = true
        /// Whether the disparity map tells near from far.
        var hasDepth = true
        /// Whether a face is where none belongs: on an animal, or low on a person.
        var isMisplaced = false
        /// Whether a head stands out from its surroundings in depth.
        var standsOut = true
    }

    /// New candidate, from the first detection of its place; what is sure at first sight needs no second one.
    init(candidateAt time: Int64, isSure: Bool = false) {
        self = .candidate(Evidence(isSure: isSure), Contact(lastHit: time, lastHeld: time))
    }

    /// Object that is confirmed from the beginning.
    init(seenAt time: Int64) { self = .seen(Contact(lastHit: time, lastHeld: time)) }

    /// State after an event of the frame at `time`.
    func after(_ event: Event, at time: Int64, by rules: LifecycleRules) -> Lifecycle {
        switch event {
        case .detected(let evidence, let support, let isSure):
            detected(Evidence(count: evidence, support: support, isSure: isSure), time, rules)
        case .missed: missed(rules)
        case .observed(let observation): observed(observation, time, rules)
        case .lensCovered: lensCovered(time, rules)
        case .superseded: .gone
        }
    }
}

extension Lifecycle {
    private func detected(_ fresh: Evidence, _ time: Int64, _ rules: LifecycleRules) -> Lifecycle {
        switch self {
        case .candidate(let evidence, let contact):
            let contact = contact.hit(at: time)
            return rules.confirmation == .nextDetection ? .seen(contact) : .candidate(evidence + fresh, contact)
        case .seen(let contact): return .seen(contact.hit(at: time))
        case .coasting(let contact, let refound):
            if fresh.isSure || refound + 1 >= rules.refinding { return .seen(contact.hit(at: time)) }
            return .coasting(contact.held(at: time), refound: refound + 1)
        case .hidden(let contact, let refound):
            if fresh.isSure || refound + 1 >= rules.refinding { return .seen(contact.hit(at: time)) }
            return .hidden(contact.held(at: time), refound: refound + 1)
        case .gone: return .gone
        }
    }

    private func missed(_ rules: LifecycleRules) -> Lifecycle {
        switch self {
        case .candidate(let evidence, let contact): .candidate(evidence, contact.missed())
        case .seen(let contact): rules.coastsAtFirstMiss ? .coasting(contact, refound: 0) : .seen(contact.missed())
        case .coasting, .hidden, .gone: self
        }
    }

    private func observed(_ now: Observation, _ time: Int64, _ rules: LifecycleRules) -> Lifecycle {
        switch self {
        case .candidate(let evidence, let contact):
            if contact.misses > rules.candidateMisses || time - contact.lastHit > rules.candidateMemory { return .gone }
            return rules.confirms(evidence, now) ? .seen(contact) : self
        case .seen(let contact):
            if !now.isInside { return .gone }
            if contact.lastHit == time { return self }
            if now.isCovered { return .hidden(contact, refound: 0) }
            guard time - contact.lastHit > rules.hold, now.isVerified else { return self }
            return contact.hits < rules.hitsToCoast ? .gone : .coasting(contact, refound: 0)
        case .coasting(let contact, let known):
            let refound = contact.lastHeld == time ? known : 0
            let silence = time - contact.lastHit
            if !now.isInside || silence > rules.coast || (now.isLeaving && silence > rules.exit) { return .gone }
            if now.isCovered { return .hidden(contact, refound: refound) }
            if now.isHeld { return .coasting(contact.held(at: time), refound: refound) }
            guard time - contact.lastHeld > rules.doubt else { return .coasting(contact, refound: refound) }
            return rules.isRemembered ? .hidden(contact, refound: refound) : .gone
        case .hidden(let contact, let refound):
            var covered = contact
            if now.isCovered { covered.lastCovered = time }
            // An object behind something is waited for; one that is not there though nothing is in front has left. Without depth nobody can tell.
            let isBehind = !now.hasDepth || covered.lastCovered.map { time - $0 < rules.memoryInPlainSight } ?? false
            if !now.isInside || time - contact.lastHeld > (isBehind ? rules.memory : rules.memoryInPlainSight) { return .gone }
            return now.isHeld ? .coasting(contact.held(at: time), refound: refound) : .hidden(covered, refound: refound)
        case .gone: return .gone
        }
    }

    private func lensCovered(_ time: Int64, _ rules: LifecycleRules) -> Lifecycle {
        guard rules.isRemembered, let contact, !isCandidate, time - contact.lastHeld <= rules.memory else { return .gone }
        if case .hidden = self { return self }
        if case .coasting(_, let refound) = self { return .hidden(contact, refound: refound) }
        return .hidden(contact, refound: 0)
    }
}

extension Lifecycle {
    var isCandidate: Bool { if case .candidate = self { true } else { false } }
    var isSeen: Bool { if case .seen = self { true } else { false } }
    var isCoasting: Bool { if case .coasting = self { true } else { false } }
    var isHidden: Bool { if case .hidden = self { true } else { false } }
    /// Whether it is confirmed and in sight.
    var isReported: Bool { isSeen || isCoasting }

    /// Detections and times; nil once it is gone.
    var contact: Contact? {
        switch self {
        case .candidate(_, let contact), .seen(let contact), .coasting(let contact, _), .hidden(let contact, _): contact
        case .gone: nil
        }
    }
}

extension Lifecycle.Evidence {
    fileprivate static func + (old: Self, new: Self) -> Self {
        Self(count: old.count + new.count, support: old.support + new.support, isSure: old.isSure || new.isSure)
    }
}

extension Lifecycle.Contact {
    fileprivate func hit(at time: Int64) -> Self { Self(hits: hits + 1, lastHit: time, lastHeld: time, lastCovered: lastCovered) }

    fileprivate func held(at time: Int64) -> Self {
        var copy = self
        copy.lastHeld = time
        return copy
    }

    fileprivate func missed() -> Self {
        var copy = self
        copy.misses += 1
        return copy
    }
}

/// Numbers of the transitions of one kind of track. Times in nanoseconds of presentation time.
struct LifecycleRules: Equatable {
    /// Condition under which a candidate gets its object ID.
    enum Confirmation: Equatable {
        /// The next detection confirms, as of a network that sees whole bodies.
        case nextDetection
        /// Evidence confirms, and surroundings that speak for a head.
        case evidence(EvidenceRule)
    }

    /// Evidence that confirms a head.
    struct EvidenceRule: Equatable {
        /// Detections that must agree.
        var count: Int
        /// Raw windows that must agree in each of them, on average.
        var meanSupport: Double
        /// Detections that suffice whatever their support; nil where only a sure one does.
        var unsupportedCount: Int?
        /// Detections from which on a head is believed that does not stand out, or is misplaced.
        var flatCount: Int
        /// Mean support, raw windows, of a head that does not stand out.
        var flatSupport: Int
    }

    var confirmation = Confirmation.nextDetection
    /// Most verifications in a row that may miss a candidate.
    var candidateMisses = Int.max
    /// Time since the last detection after which a candidate is gone.
    var candidateMemory = Int64.max
    /// Whether one miss makes it coast; else it is seen for `hold` after its last detection.
    var coastsAtFirstMiss = true
    var hold: Int64 = 0
    /// Least number of detections of what may coast; less is gone when its hold is over.
    var hitsToCoast = 0
    /// Time since the last detection after which a coasting track is gone.
    var coast = Int64.max
    /// The same of one that is leaving by a side of the picture.
    var exit = Int64.max
    /// Time since it was last held after which a coasting track is hidden.
    var doubt: Int64
    /// Detections that make a coasting or hidden track seen.
    var refinding = 1
    /// Whether it is remembered while hidden; else it is gone instead.
    var isRemembered = true
    /// Time since it was last held after which a hidden track is gone: behind something, and where nothing has covered it for as long.
    var memory: Int64 = 0
    var memoryInPlainSight: Int64 = 0

    /// Whether evidence and surroundings confirm a candidate.
    func confirms(_ evidence: Lifecycle.Evidence, _ now: Lifecycle.Observation) -> Bool {
        guard case .evidence(let rule) = confirmation else { return false }
        // Knees and dogs pass for faces now and then, a child before somebody's legs for as long as it stands there.
        if now.isMisplaced, evidence.count < rule.flatCount { return false }
        if evidence.isSure || rule.unsupportedCount.map({ evidence.count >= $0 }) ?? false { return true }
        guard evidence.count >= rule.count, Double(evidence.support) >= Double(evidence.count) * rule.meanSupport else { return false }
        // A face flat on a wall is most often a pattern of the wall, and one on a cat's flank of its fur.
        return now.standsOut || (evidence.count >= rule.flatCount && evidence.support >= rule.flatCount * rule.flatSupport)
    }
}

extension LifecycleRules {
    /// Rules of a face, by the direction it was last seen from and by the detector that saw it.
    static func face(_ look: Hit.Look, seenBy source: Hit.Source, _ tuning: VisionTuning) -> Self {
        head(count: look == .frontal ? tuning.frontalEvidence : tuning.profileEvidence, hold: tuning.faceHold, source, tuning)
    }

    /// Rules of a cat's head, whose cascade blinks more often than a face's and never sees hair.
    static func catHead(seenBy source: Hit.Source, _ tuning: VisionTuning) -> Self {
        var rules = head(count: tuning.catEvidence, hold: tuning.catHold, source, tuning)
        rules.coast = tuning.catMemory
        rules.refinding = 1
        return rules
    }

    private static func head(count: Int, hold: Int64, _ source: Hit.Source, _ tuning: VisionTuning) -> Self {
        let evidence = EvidenceRule(
            count: count, meanSupport: tuning.support, unsupportedCount: source == .network ? tuning.networkEvidence : nil,
            flatCount: tuning.flatEvidence, flatSupport: tuning.plainSupport)
        return Self(
            confirmation: .evidence(evidence), candidateMisses: 1, coastsAtFirstMiss: false, hold: hold, hitsToCoast: tuning.hitsForBody,
            doubt: tuning.doubt, refinding: 2, memory: tuning.memory, memoryInPlainSight: tuning.occlusion)
    }

    /// Rules of a body that an object network sees every `objectInterval`; its events come with the network's results.
    static func body(_ tuning: VisionTuning) -> Self {
        Self(
            candidateMemory: tuning.objectInterval * 5 / 2, exit: tuning.objectInterval * 2, doubt: tuning.bodyHold, memory: tuning.memory,
            memoryInPlainSight: tuning.occlusion)
    }

    /// Rules of a thing that a correlation filter follows; without its likeness it is soon gone.
    static func thing(_ tuning: VisionTuning) -> Self { Self(doubt: tuning.thingMemory, isRemembered: false) }
}

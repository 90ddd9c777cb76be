import Foundation

extension Track {
    /// Carries the box into the current picture: by flow where enough points agree and the same depth is there, else by its slowly fading velocity.
    mutating func predict(with flow: Flow, in picture: ReducedPicture, depth: DepthProbe, _ tuning: VisionTuning.Following) throws(VisionError) {
        agreement = 0
        guard !life.isHidden else { return drift(tuning) }
        let motion = try flow.motion(of: flowRegion(in: picture))
        guard motion.agreement >= tuning.flowAgreement else { return drift(tuning) }
        let before = box
        let growth = min(max(motion.growth, 1 - tuning.growth), 1 + tuning.growth)
        shift(dx: motion.dx, dy: motion.dy, growth: motion.agreement > tuning.growthAgreement ? growth : 1)
        let covered = disparity.map { depth.coverage(of: anchor, at: $0) } ?? 0
        if covered < tuning.coveredToCentre { recentre(depth, tuning) }
        guard life.isCandidate || (heldDisparity(depth, tuning) != nil && (covered < tuning.coveredToFollow || !isMissed)) else {
            // Something passes in front and would drag the track along.
            box = before
            return drift(tuning)
        }
        agreement = motion.agreement
        velocity.dx += (motion.dx - velocity.dx) * tuning.velocityShare
        velocity.dy += (motion.dy - velocity.dy) * tuning.velocityShare
    }

    mutating func shift(dx: Double, dy: Double, growth: Double) {
        box = box.scaled(growth).offsetBy(dx: dx, dy: dy)
    }

    /// Disparity at the track's place while it is the track's own: of its core, or of what is left of a body that turned; nil when it is another's.
    func heldDisparity(_ depth: DepthProbe, _ tuning: VisionTuning.Following) -> Double? {
        guard let disparity else { return depth.median(core) }
        if isCarriedPerson {
            guard let found = depth.gathering(in: anchor, at: disparity), found.share > tuning.bodyShare else { return nil }
            return found.mean
        }
        return depth.median(core).flatMap { depth.agrees($0, disparity) ? $0 : nil }
    }

    /// Share of a person that something nearer is in front of, whatever shows beside it, 0…1; 0 of anything else.
    func coverage(_ depth: DepthProbe) -> Double { kind == .person ? disparity.map { depth.coverage(of: anchor, at: $0) } ?? 0 : 0 }

    /// A turning head takes the face to its side; the person stays in the middle of what has the person's depth.
    private mutating func recentre(_ depth: DepthProbe, _ tuning: VisionTuning.Following) {
        guard isCarriedPerson, let disparity else { return }
        guard let found = depth.gathering(in: anchor.scaled(1.3, 1), at: disparity), found.share > tuning.centreShare else { return }
        box = box.offsetBy(dx: (found.x - box.midX) * tuning.centring, dy: 0)
    }

    /// Carries the box by its velocity.
    private mutating func drift(_ tuning: VisionTuning.Following) {
        shift(dx: velocity.dx, dy: velocity.dy, growth: 1)
        velocity = velocity.scaled(tuning.velocityFading)
    }

    /// Takes a detection in. Box, pose and source stay where one detection does not suffice to find the track again.
    mutating func accept(_ hit: Hit, at time: Int64, _ tuning: VisionTuning) {
        let before = life
        handle(.detected(evidence: hit.support >= tuning.plainSupport ? 2 : 1, support: hit.support, isSure: hit.isSure), at: time, tuning)
        guard life.isCandidate || life.isSeen else { return }
        if before.isCandidate { pose = Pose(hit) } else { pose.follow(hit, wasSeen: before.isSeen, tuning.following) }
        source = hit.source
        tone = hit.tone
        margin = max(margin, hit.source == .cascade ? hit.margin ?? margin : 0)
        correct(to: hit, tuning.following)
    }

    /// Draws the box towards a hit of another frame, and takes its look.
    mutating func follow(_ hit: Hit, _ tuning: VisionTuning.Following) {
        pose.follow(hit, wasSeen: true, tuning)
        source = hit.source
        tone = hit.tone
        correct(to: hit, tuning)
    }

    /// Draws the box towards a hit: gently when near, so that the cascade's jitter does not show; firmly when it is off.
    private mutating func correct(to hit: Hit, _ tuning: VisionTuning.Following) {
        let off = max(abs(hit.box.midX - box.midX), abs(hit.box.midY - box.midY)) / box.width
        let offSize = abs(hit.box.width / box.width - 1)
        let cascadePlace = off > tuning.farOff ? tuning.farOffPlace : (off > tuning.off ? tuning.offPlace : tuning.nearPlace)
        let place = hit.source == .network ? tuning.measuredPlace : cascadePlace
        let size = hit.source == .network ? tuning.measuredSize : (offSize > tuning.offSize ? tuning.farSize : tuning.nearSize)
        let width = box.width + (hit.box.width - box.width) * size
        let height = box.height + (hit.box.height - box.height) * size
        let x = box.midX + (hit.box.midX - box.midX) * place
        let y = box.midY + (hit.box.midY - box.midY) * place
        box = CGRect(x: x - width / 2, y: y - height / 2, width: width, height: height)
        confidence += (min(1, 0.5 + Double(hit.support) / tuning.fullSupport) - confidence) * tuning.confidenceShare
    }
}

/// Pixels per frame.
struct Velocity {
    var dx: Double
    var dy: Double

    func scaled(_ factor: Double) -> Velocity { Velocity(dx: dx * factor, dy: dy * factor) }
}

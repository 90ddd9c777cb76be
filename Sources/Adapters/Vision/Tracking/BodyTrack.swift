import Foundation
import Pipeline

/// A body that an object network saw, over time, in pixels of the reduced picture.
struct BodyTrack {
    enum Family { case person, pet, ball }

    let family: Family
    private(set) var life: Lifecycle
    var box: CGRect
    var velocity = Velocity(dx: 0, dy: 0)
    /// Motion that flow misses, as of an animal that runs before a wall, pixels a frame: learned from the network's boxes.
    private(set) var slip = Velocity(dx: 0, dy: 0)
    /// Frames since it was seen.
    private var age = 0
    /// Sum of the scores as a cat (> 0) and as a dog (< 0), within ±`mostVotes`; one odd sighting changes nothing.
    var catVotes = 0.0
    var score: Double
    /// 0 until it is confirmed.
    var objectID = 0
    var groupID = -1
    /// Side of the head, -1 (the picture's left) … 1 (its right): ahead of a pet, across a person; and the head's object ID, once it has one.
    var headSide = 0.0
    var headID: Int?
    /// A person's head as it was beside the face seen last, 0…1 of the box, and the box's height by its width then.
    var headPlace: (box: CGRect, shape: Double)?
    /// Object ID of the face that belongs to it, remembered while the face is turned away.
    var faceID: Int?
    /// Histogram of its colours, which adds up to 1.
    var colours: [Double]?
    var disparity: Double?
    /// Width of the box while it is seen whole.
    var usualWidth: Double

    init(_ sighting: Sighting, at time: Int64, _ tuning: VisionTuning.Bodies) {
        family = sighting.kind.family
        life = sighting.score >= tuning.sureScore ? Lifecycle(seenAt: time) : Lifecycle(candidateAt: time)
        box = sighting.box
        score = sighting.score
        usualWidth = sighting.box.width
        vote(sighting, tuning)
    }

    var kind: Detection.Kind {
        switch family {
        case .person: .humanBody
        case .pet: catVotes > 0 ? .catBody : .dogBody
        case .ball: .salientObject
        }
    }

    /// Kind of its head.
    var headKind: Detection.Kind {
        switch kind {
        case .catBody: .catHead
        case .dogBody: .dogHead
        default: .humanHead
        }
    }

    var isConfirmed: Bool { objectID > 0 }

    /// Time of the network's last sighting, nanoseconds.
    var lastSeen: Int64 { life.contact?.lastHit ?? .min }

    /// Takes an event of the frame at `time` into its lifecycle.
    mutating func handle(_ event: Lifecycle.Event, at time: Int64, _ tuning: VisionTuning) {
        life = life.after(event, at: time, by: .body(tuning))
    }

    private mutating func vote(_ sighting: Sighting, _ tuning: VisionTuning.Bodies) {
        if sighting.kind == .cat { catVotes = min(catVotes + sighting.score, tuning.mostVotes) }
        if sighting.kind == .dog { catVotes = max(catVotes - sighting.score, -tuning.mostVotes) }
    }

    /// Carries the box into the current picture. A covered body moves on slower and slower, as flow would follow what is in front.
    mutating func predict(with flow: Flow, isCovered: Bool, _ tuning: VisionTuning.Bodies) throws(VisionError) {
        age += 1
        if age > tuning.slipFrames { slip = slip.scaled(tuning.slipFading) }
        if !life.isHidden, !isCovered || life.isSeen, try follow(flow, tuning) { return }
        box = box.offsetBy(dx: velocity.dx, dy: velocity.dy)
        velocity = velocity.scaled(life.isHidden ? tuning.hiddenFading : tuning.velocityFading)
    }

    /// Carries the box by flow, also back in time; false where that tells nothing.
    mutating func follow(_ flow: Flow, _ tuning: VisionTuning.Bodies) throws(VisionError) -> Bool {
        let motion = try flow.motion(of: box.scaled(0.7))
        guard motion.agreement >= tuning.flowAgreement else { return false }
        let (dx, dy) = (motion.dx + slip.dx, motion.dy + slip.dy)
        let growth = min(max(motion.growth, 1 - tuning.growth), 1 + tuning.growth)
        box = box.scaled(motion.agreement > tuning.growthAgreement ? growth : 1).offsetBy(dx: dx, dy: dy)
        velocity.dx += (dx - velocity.dx) * tuning.velocityShare
        velocity.dy += (dy - velocity.dy) * tuning.velocityShare
        faceWhereItGoes()
        return true
    }

    /// The body in a picture; nil where it is out of it.
    func detection(in picture: ReducedPicture, _ tuning: VisionTuning.Bodies) -> Detection? {
        guard let box = picture.visible(box, share: tuning.reportedShare) else { return nil }
        return Detection(
            objectID: objectID, groupID: family == .ball ? -1 : groupID, kind: kind, bounds: box, confidence: min(score, 1), disparity: disparity)
    }

    /// Its head in a picture, where the body says it must be; nil where that is out of the picture, or not known.
    func headDetection(in picture: ReducedPicture, _ tuning: VisionTuning.Bodies) -> Detection? {
        guard let id = headID, let head = head(in: picture), let box = picture.visible(head, share: tuning.reportedHeadShare) else { return nil }
        return Detection(
            objectID: id, groupID: groupID, kind: headKind, bounds: box, confidence: min(score, 1) * tuning.headConfidence, disparity: disparity)
    }

    /// Draws the box to what the network saw, all the way when it is new or comes out again.
    mutating func accept(_ sighting: Sighting, at time: Int64, colours seen: [Double]?, disparity measured: Double?, _ tuning: VisionTuning) {
        let share = life.isReported ? tuning.bodies.boxShare : 1
        learnSlip(sighting.box, tuning.bodies)
        box = box.interpolated(to: sighting.box, share)
        score += (sighting.score - score) * tuning.bodies.scoreShare
        vote(sighting, tuning.bodies)
        usualWidth += (max(sighting.box.width, usualWidth * tuning.bodies.widthFading) - usualWidth) * tuning.bodies.widthShare
        if let seen { colours = colours.map { zip($0, seen).map { $0 + ($1 - $0) * tuning.bodies.colourShare } } ?? seen }
        if let measured { disparity = disparity.map { $0 + (measured - $0) * tuning.bodies.disparityShare } ?? measured }
        handle(.detected(evidence: 1, support: 0, isSure: false), at: time, tuning)
    }

    private mutating func learnSlip(_ seen: CGRect, _ tuning: VisionTuning.Bodies) {
        defer { age = 0 }
        guard life.isReported else {
            slip = Velocity(dx: 0, dy: 0)
            return
        }
        func excess(_ way: Double, _ size: Double) -> Double { way - min(max(way, -tuning.tremble * size), tuning.tremble * size) }
        let gain = tuning.slipShare / Double(max(age, 1))
        slip.dx += gain * excess(seen.midX - box.midX, box.width)
        slip.dy += gain * excess(seen.midY - box.midY, box.height)
    }

    /// Waits for the network to see it below a face.
    mutating func wait(under face: CGRect, _ tuning: VisionTuning.Grouping) {
        box = box.offsetBy(dx: face.midX - box.midX, dy: face.midY - tuning.faceTop * box.height - box.minY)
        velocity = Velocity(dx: 0, dy: 0)
    }

    /// 0…1: how much its colours have in common with others (Bhattacharyya); nil while it knows none.
    func likeness(_ other: [Double]?) -> Double? {
        guard let colours, let other else { return nil }
        return zip(colours, other).reduce(0) { $0 + ($1.0 * $1.1).squareRoot() }
    }

    /// Whether it is leaving the picture by a side: at the edge, and going there or cut off by it.
    func isLeaving(_ picture: ReducedPicture, _ tuning: VisionTuning.Bodies) -> Bool {
        let margin = picture.width * tuning.edge
        let (left, right) = (box.minX < margin, box.maxX > picture.width - margin)
        guard left != right else { return false }
        return box.width < usualWidth * tuning.cut || (left ? velocity.dx < -tuning.exitSpeed : velocity.dx > tuning.exitSpeed)
    }
}

extension Sighting.Kind {
    var family: BodyTrack.Family {
        switch self {
        case .person: .person
        case .cat, .dog: .pet
        case .ball: .ball
        }
    }
}

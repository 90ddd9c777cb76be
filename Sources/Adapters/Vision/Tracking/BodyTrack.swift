import Foundation
import Pipeline

/// A body that an object network saw, followed through time, in pixels of the reduced picture.
///
///     candidate ──seen again, or sure──► seen ⇄ carried ⇄ hidden ──► gone
///
/// seen: in the network's last look; carried: missed by it, flow still carries the box; hidden: not reported, remembered by its colours.
struct BodyTrack {
    enum Family { case person, pet, ball }
    enum Phase { case candidate, seen, carried, hidden }

    let family: Family
    var phase = Phase.candidate
    var box: CGRect
    var velocity = Velocity(dx: 0, dy: 0)
    /// Motion that flow misses, as of an animal that runs before a wall, pixels a frame: learned from the network's boxes.
    private(set) var slip = Velocity(dx: 0, dy: 0)
    /// Frames since it was seen.
    private var age = 0
    /// Sum of the scores as a cat (> 0) and as a dog (< 0), -5…5; one odd sighting changes nothing.
    var catVotes = 0.0
    var score: Double
    /// Given when it is confirmed.
    var objectID = 0
    var groupID = -1
    /// Side of the head, -1 (the picture's left) … 1 (its right): ahead of a pet, across a person; and the head's object ID, once it has one.
    var facing = 0.0
    var headID: Int?
    /// A person's head as it was beside the face seen last, 0…1 of the box.
    var headPlace: CGRect?
    /// The face that belongs to it, remembered while it is turned away.
    var faceID: Int?
    var colours: [Double]?
    var disparity: Double?
    /// Width of the box while it is seen whole.
    var usualWidth: Double
    /// Nanoseconds.
    var lastSeen: Int64
    var isGone = false

    init(_ sighting: Sighting, at time: Int64) {
        family = sighting.kind.family
        box = sighting.box
        score = sighting.score
        usualWidth = sighting.box.width
        lastSeen = time
        vote(sighting)
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

    private mutating func vote(_ sighting: Sighting) {
        if sighting.kind == .cat { catVotes = min(catVotes + sighting.score, 5) }
        if sighting.kind == .dog { catVotes = max(catVotes - sighting.score, -5) }
    }

    /// Carries the box into the current picture. What is covered moves on slower and slower, as flow would follow what is in front.
    mutating func predict(with flow: Flow, isCovered: Bool) throws(VisionError) {
        age += 1
        if age > Self.patience { slip = slip.scaled(0.9) }
        if phase != .hidden, !isCovered || phase == .seen {
            let motion = try flow.motion(of: box.scaled(0.7))
            if motion.agreement >= 0.3 {
                let (dx, dy) = (motion.dx + slip.dx, motion.dy + slip.dy)
                box = box.scaled(motion.agreement > 0.5 ? min(max(motion.growth, 0.97), 1.03) : 1).offsetBy(dx: dx, dy: dy)
                velocity.dx += (dx - velocity.dx) * 0.3
                velocity.dy += (dy - velocity.dy) * 0.3
                faceWhereItGoes()
                return
            }
        }
        box = box.offsetBy(dx: velocity.dx, dy: velocity.dy)
        let fading = phase == .hidden ? 0.85 : 0.95
        velocity = velocity.scaled(fading)
    }

    /// Draws the box to what the network saw; after an occlusion it leaps.
    mutating func correct(to sighting: Sighting, at time: Int64, colours: [Double]?, disparity measured: Double?) {
        let share = phase == .hidden || phase == .candidate ? 1 : 0.6
        func mix(_ old: Double, _ new: Double) -> Double { old + (new - old) * share }
        learnSlip(sighting.box)
        box = CGRect(
            x: mix(box.minX, sighting.box.minX), y: mix(box.minY, sighting.box.minY), width: mix(box.width, sighting.box.width),
            height: mix(box.height, sighting.box.height))
        score += (sighting.score - score) * 0.3
        vote(sighting)
        usualWidth += (max(sighting.box.width, usualWidth * 0.9) - usualWidth) * 0.2
        if let seen = colours { self.colours = self.colours.map { zip($0, seen).map { $0 + ($1 - $0) * 0.15 } } ?? seen }
        if let measured { disparity = disparity.map { $0 + (measured - $0) * 0.25 } ?? measured }
        lastSeen = time
        if phase != .candidate { phase = .seen }
    }

    /// Frames for which it goes on as it went before it is believed to slow down.
    private static let patience = 6

    private mutating func learnSlip(_ seen: CGRect) {
        defer { age = 0 }
        guard phase == .seen || phase == .carried else {
            slip = Velocity(dx: 0, dy: 0)
            return
        }
        /// A network's boxes tremble by some hundredths of their size.
        func excess(_ way: Double, _ size: Double) -> Double { way - min(max(way, -0.04 * size), 0.04 * size) }
        let gain = 0.25 / Double(max(age, 1))
        slip.dx += gain * excess(seen.midX - box.midX, box.width)
        slip.dy += gain * excess(seen.midY - box.midY, box.height)
    }

    /// Waits for the network to see it below a face.
    mutating func wait(under face: CGRect) {
        box = box.offsetBy(dx: face.midX - box.midX, dy: face.midY - 0.12 * box.height - box.minY)
        velocity = Velocity(dx: 0, dy: 0)
    }

    /// 0…1: how much its colours have in common with others (Bhattacharyya); nil while it knows none.
    func likeness(_ other: [Double]?) -> Double? {
        guard let colours, let other else { return nil }
        return zip(colours, other).reduce(0) { $0 + ($1.0 * $1.1).squareRoot() }
    }

    /// Whether it is leaving the picture by a side: at the edge, and going there or cut off by it.
    func isLeaving(_ picture: ReducedPicture) -> Bool {
        let margin = picture.width * 0.02
        let (left, right) = (box.minX < margin, box.maxX > picture.width - margin)
        guard left != right else { return false }
        return box.width < usualWidth * 0.75 || (left ? velocity.dx < -0.3 : velocity.dx > 0.3)
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

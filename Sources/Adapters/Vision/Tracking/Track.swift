import Foundation

/// One thing followed through time, in pixels of the reduced picture.
///
///     candidate ──confirmed──► seen ⇄ unseen ⇄ hidden ──► gone
///
/// seen: its cascade fires (or fired a moment ago); unseen: it does not, but the same thing is still at its place;
/// hidden: something else is at its place.
struct Track {
    enum Kind { case person, cat, thing }
    enum Phase { case candidate, seen, unseen, hidden }

    /// A person may turn out to be a cat before it is confirmed.
    var kind: Kind
    var phase = Phase.candidate
    /// The face, the cat's head or the thing.
    var box: CGRect
    var velocity = Velocity(dx: 0, dy: 0)
    /// 0…1: how surely flow carried the box into this picture.
    var agreement = 0.0
    var look: Hit.Look
    /// Degrees, as a hit's.
    var yaw: Double?
    var roll = 0.0
    /// Detector that saw it last.
    var source = Hit.Source.cascade
    /// Whether one hit was enough to believe in it.
    var isSure = false
    /// The body that an object network sees around it.
    var measuredBody: Int?
    /// Frames in a row in which another look than `look` fired.
    var otherLooks = 0
    var confidence = 0.5

    /// Given when the candidate is confirmed.
    var objectID = 0
    var bodyID = 0
    /// A person's.
    var headID = 0
    var groupID = -1

    /// Frames that speak for a candidate, and frames for which its cascade has been silent.
    var evidence = 0
    /// Raw windows behind that evidence.
    var support = 0
    var misses = 0
    /// Frames in which its cascade fired.
    var hits = 0

    /// Time at which it got its object ID, nanoseconds.
    var introduced: Int64?
    /// Nanoseconds: first hit, last hit, last time the same thing was certainly at its place.
    var born: Int64
    var lastHit: Int64
    var lastHeld: Int64
    /// Time at which a detector verified it last.
    var lastVerified: Int64 = .min
    /// Whether the background search that goes on verifies it.
    var isAwaited = false
    /// The last time something nearer was in front of it.
    var lastCovered: Int64?

    var appearance: Appearance?
    var disparity: Double?
    var body = BodyShape()
    /// A cat's, while nothing else sees its body.
    var pet = PetShape()
    /// A thing's.
    var follower: ObjectFollower?
    /// A thing that nobody tapped: it moved.
    var isOffered = false
    var isGone = false

    init(_ hit: Hit, at time: Int64) {
        kind = hit.look.kind
        box = hit.box
        look = hit.look
        yaw = hit.yaw ?? hit.look.yaw
        roll = hit.roll ?? 0
        source = hit.source
        isSure = hit.isSure
        born = time
        lastHit = time
        lastHeld = time
    }

    init(thing box: CGRect, at time: Int64) {
        kind = .thing
        phase = .seen
        self.box = box
        look = .frontal
        born = time
        lastHit = time
        lastHeld = time
    }

    /// The place whose look and depth identify the track: head and upper body of a person, the box of anything else.
    var anchor: CGRect { kind == .person ? Self.anchor(of: box) : box }

    private static func anchor(of face: CGRect) -> CGRect {
        CGRect(x: face.midX - face.width * 1.1, y: face.minY - face.height * 0.2, width: face.width * 2.2, height: face.height * 3.1)
    }

    /// A person's head around the face.
    var head: CGRect { HeadShape.box(face: box, roll: roll) }

    /// Region whose median disparity is the track's.
    var core: CGRect {
        guard kind == .person else { return box.scaled(0.5) }
        if phase == .candidate || (phase == .seen && misses == 0) { return box.scaled(0.5) }
        return CGRect(x: box.midX - box.width * 0.4, y: box.minY + box.height * 0.4, width: box.width * 0.8, height: box.height * 1.8)
    }

    mutating func shift(dx: Double, dy: Double, growth: Double) {
        box = box.scaled(growth).offsetBy(dx: dx, dy: dy)
    }
}

/// Pixels per frame.
struct Velocity {
    var dx: Double
    var dy: Double

    func scaled(_ factor: Double) -> Velocity { Velocity(dx: dx * factor, dy: dy * factor) }
}

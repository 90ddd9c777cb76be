import Foundation

/// A face, a cat's head or a thing over time, in pixels of the reduced picture. Bodies that a network sees are `BodyTrack`.
struct Track {
    enum Kind { case person, cat, thing }

    /// Kind of the track, with that by which its body is known or by which it is followed.
    enum Being {
        /// A face, and the body under it.
        case person(BodyShape)
        /// A cat's head, and the body behind it.
        case cat(PetShape)
        /// A thing; offered where it moved and nobody tapped it.
        case thing(ObjectFollower, isOffered: Bool)
    }

    /// Object IDs of a track and of what belongs to it; 0 until the track is confirmed.
    struct Identity {
        var objectID = 0
        var bodyID = 0
        /// A person's.
        var headID = 0
        /// −1 is none.
        var groupID = -1
        /// Time of confirmation, nanoseconds; nil for a candidate.
        var introduced: Int64?
    }

    /// Turn of a detector to verify a track.
    enum Verification: Equatable {
        case none
        /// A background search that goes on verifies it.
        case pending
        /// Time of the frame in which the result came.
        case done(Int64)
    }

    /// A candidate person may turn out to be a cat, and a cat a person, when it is confirmed.
    var being: Being
    var life: Lifecycle
    /// The face, the cat's head or the thing.
    var box: CGRect
    var velocity = Velocity(dx: 0, dy: 0)
    /// 0…1: share of the points that carried the box into this picture together.
    var agreement = 0.0
    var pose: Pose
    /// Detector that saw it last.
    var source = Hit.Source.cascade
    /// Largest margin that dlib gave it, or 0 where another detector than a cascade saw it.
    var margin = HeadFinder.unlike
    /// Tone of the picture in which a cascade saw it last.
    var tone = SearchPicture.Tone.plain
    /// 0…1.
    var confidence = 0.5
    var identity = Identity()
    /// Object ID of the body that an object network sees around it.
    var measuredBody: Int?
    /// Time of the first detection, nanoseconds.
    let born: Int64
    var verification = Verification.none
    var appearance: Appearance?
    var disparity: Double?

    init(_ hit: Hit, at time: Int64) {
        being = hit.look.kind == .cat ? .cat(PetShape()) : .person(BodyShape())
        life = Lifecycle(candidateAt: time, isSure: hit.isSure)
        box = hit.box
        pose = Pose(hit)
        source = hit.source
        tone = hit.tone
        born = time
    }

    init(thing box: CGRect, follower: ObjectFollower, isOffered: Bool, at time: Int64) {
        being = .thing(follower, isOffered: isOffered)
        life = Lifecycle(seenAt: time)
        self.box = box
        pose = Pose(look: .frontal)
        born = time
    }

    var kind: Kind {
        switch being {
        case .person: .person
        case .cat: .cat
        case .thing: .thing
        }
    }

    var isConfirmed: Bool { identity.objectID > 0 }
    var isOffered: Bool { if case .thing(_, true) = being { true } else { false } }

    /// Whether its detector missed it since the last detection; a thing has none.
    var isMissed: Bool { kind != .thing && life.contact?.misses ?? 0 > 0 }

    /// Whether only flow, appearance and depth tell where a person is.
    var isCarriedPerson: Bool { kind == .person && (life.isCoasting || (life.isSeen && isMissed)) }

    /// Box of its body, by its shape; nil for a thing, and for a cat while depth does not tell it.
    func bodyBox(in picture: ReducedPicture) -> CGRect? {
        switch being {
        case .person(let shape): shape.box(face: box, in: picture)
        case .cat(let shape): shape.box(head: box)
        case .thing: nil
        }
    }

    func rules(_ tuning: VisionTuning) -> LifecycleRules {
        switch kind {
        case .person: .face(pose.look, seenBy: source, tuning)
        case .cat: .catHead(seenBy: source, tuning)
        case .thing: .thing(tuning)
        }
    }

    /// Takes an event of the frame at `time` into its lifecycle.
    mutating func handle(_ event: Lifecycle.Event, at time: Int64, _ tuning: VisionTuning) {
        life = life.after(event, at: time, by: rules(tuning))
    }
}

/// Subject, the being or thing the user means: a person with face, head and body, an animal, a thing.
struct Subject: Sendable {
    /// Group of its objects; -1 for a single object without a group.
    var groupID: Int
    /// Whether it touched the left or right edge of the picture when it was first seen.
    let cameFromSide: Bool
    let firstSeen: Int64
    /// Time of its arrival, or of its last return to facing the camera, ns.
    private(set) var arrived: Int64
    private(set) var facing = Facing.camera
    /// Time of the last face, ns; nil before any.
    private(set) var faceSeen: Int64?

    var wasFocused = false
    var wasRequested = false
    /// Whether focus left it because it looked away, and has not been back.
    var leftWhenAway = false
    /// Time since which it has been prominent enough to take focus; nil while it is not.
    var aheadSince: Int64?

    /// Range of its objects among the list's tracks, in order of `Kind.rank`, then of object ID.
    var members = 0..<0
    /// Track that represents it in this frame; nil while none is present.
    var standIn: Int?
    /// Prominence in this frame, a weighted sum; about 0…1.
    var prominence = 0.0

    init(groupID: Int, firstSeen: Int64, cameFromSide: Bool) {
        (self.groupID, self.firstSeen, arrived, self.cameFromSide) = (groupID, firstSeen, firstSeen, cameFromSide)
    }

    /// Updates facing from one frame: whether a face is detected, and the first known yaw (degrees).
    mutating func updateFacing(showsFace: Bool, yaw: Double?, at time: Int64, _ tuning: FocusTuning) {
        if showsFace { faceSeen = time }
        let wasAway = facing.isAway
        if let yaw {
            let angle = abs(yaw) > 180 ? 360 - abs(yaw) : abs(yaw)
            facing.step(isTurned: angle > facing.limit(tuning), since: time, at: time, tuning)
            if time == firstSeen, angle > tuning.faceAwayYaw { facing = .away }
        } else {
            facing.step(isTurned: faceSeen.map { $0 < time } ?? false, since: faceSeen ?? time, at: time, tuning)
        }
        if wasAway, !facing.isAway { arrived = time }
    }
}

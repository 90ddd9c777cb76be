/// What the user means: a person with face, head and body, an animal, a thing.
struct Subject: Sendable {
    /// -1 while it is a single object without a group.
    var groupID: Int
    /// Whether it was cut by, or touched, the left or right side of the picture when it was first seen.
    let cameFromSide: Bool
    let firstSeen: Int64
    /// When it came, or last turned back to the camera.
    private(set) var arrived: Int64
    private(set) var facing = Facing.camera
    private var faceSeen: Int64?

    var wasFocused = false
    var wasRequested = false
    /// Focus left it because it looked away, and has not been back.
    var leftWhenAway = false
    /// Since when it has been prominent enough to take focus.
    var aheadSince: Int64?

    /// Where its objects are among the list's tracks, in order of `Kind.rank`, then of object ID.
    var members = 0..<0
    /// The track that stands for it in this frame; nil while none is there.
    var standIn: Int?
    /// How much it asks for focus in this frame, a weighted sum; about 0…1.
    var prominence = 0.0

    init(groupID: Int, firstSeen: Int64, cameFromSide: Bool) {
        (self.groupID, self.firstSeen, arrived, self.cameFromSide) = (groupID, firstSeen, firstSeen, cameFromSide)
    }

    /// Takes in what one frame shows of it: whether there is a face, and the first yaw (degrees) that is known.
    mutating func turn(showsFace: Bool, yaw: Double?, at time: Int64, _ tuning: FocusTuning) {
        if showsFace { faceSeen = time }
        let wasAway = facing.isAway
        if let yaw {
            let turn = abs(yaw) > 180 ? 360 - abs(yaw) : abs(yaw)
            facing.step(isTurned: turn > facing.limit(tuning), since: time, at: time, tuning)
            if time == firstSeen, turn > tuning.faceAwayYaw { facing = .away }
        } else {
            facing.step(isTurned: faceSeen.map { $0 < time } ?? false, since: faceSeen ?? time, at: time, tuning)
        }
        if wasAway, !facing.isAway { arrived = time }
    }
}

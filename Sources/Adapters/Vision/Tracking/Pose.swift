/// Side that a head shows, and its angles in degrees, followed through time.
struct Pose {
    /// Cascade or side that answers to the head.
    var look: Hit.Look
    /// Negative looks to the picture's left; nil where nothing measures it.
    var yaw: Double?
    /// Positive leans clockwise.
    var roll = 0.0
    /// Frames in a row in which another look or yaw was detected.
    private var others = 0

    init(look: Hit.Look) { self.look = look }

    init(_ hit: Hit) {
        look = hit.look
        yaw = hit.yaw ?? hit.look.yaw
        roll = hit.roll ?? 0
    }

    /// Takes in a detection. Measured angles are followed; of cascades and dlib another look counts when it is seen twice in a row, or at once after
    /// the head was not seen.
    mutating func follow(_ hit: Hit, wasSeen: Bool, _ tuning: VisionTuning.Following) {
        roll = hit.roll ?? 0
        if hit.source == .network, let seen = hit.yaw {
            // Small steps are mostly noise, large ones a turn.
            yaw = yaw.map { $0 + (seen - $0) * (abs(seen - $0) > tuning.turn ? 1 : tuning.yawShare) } ?? seen
            look = hit.look
            return
        }
        guard hit.look != look || hit.yaw ?? hit.look.yaw != yaw else {
            others = 0
            return
        }
        others += 1
        if others >= 2 || !wasSeen { self = Pose(hit) }
    }
}

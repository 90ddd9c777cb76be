import Foundation
import Pipeline

/// One detected object over time.
struct DetectionTrack: Sendable {
    /// As last seen.
    var detection: Detection
    var lastSeen: Int64
    /// When it was first seen, or seen again after it had been missing.
    var presentSince: Int64
    var disparity = DisparityTracker()
    var motion = MotionTracker()

    var objectID: Int { detection.objectID }
    func isPresent(at time: Int64, _ tuning: FocusTuning) -> Bool { time - lastSeen <= tuning.coast }
}

/// What the user means: a person with face, head and body, an animal, a thing.
struct Subject: Sendable {
    /// -1 while it is a single object without a group.
    var groupID: Int
    /// Whether it was cut by, or touched, the left or right side of the picture when it was first seen.
    let cameFromSide: Bool
    /// In order of `Kind.rank`, then of object ID.
    var tracks: [DetectionTrack] = []
    let firstSeen: Int64
    /// When it came, or last turned back to the camera.
    var arrived: Int64
    private(set) var facing = Facing.camera
    private var faceSeen: Int64?

    var wasFocused = false
    var wasRequested = false
    /// Focus left it because it looked away, and has not been back.
    var leftWhenAway = false
    /// Since when it has been prominent enough to take focus.
    var aheadSince: Int64?

    init(groupID: Int, firstSeen: Int64, cameFromSide: Bool) {
        (self.groupID, self.firstSeen, arrived, self.cameFromSide) = (groupID, firstSeen, firstSeen, cameFromSide)
    }

    var lastSeen: Int64 { tracks.map(\.lastSeen).max() ?? firstSeen }

    /// The object that stands for the subject: `pinned` while it is there, else the highest in rank that is there for sure.
    func representative(at time: Int64, pinned: Int? = nil, _ tuning: FocusTuning) -> DetectionTrack? {
        let present = tracks.filter { $0.isPresent(at: time, tuning) }
        return present.first { $0.objectID == pinned } ?? present.first { time - $0.presentSince >= tuning.confirm } ?? present.first
    }

    /// Whether automatic choice may take it: things only after the user asked for them.
    var isEligible: Bool { wasRequested || tracks.contains { $0.detection.kind != .salientObject } }

    /// Takes in, after the frame's detections, whether the subject looks into the camera.
    mutating func updateFacing(at time: Int64, _ tuning: FocusTuning) {
        let seen = tracks.filter { $0.lastSeen == time }.map(\.detection)
        guard !seen.isEmpty else { return }
        if seen.contains(where: { $0.kind == .face }) { faceSeen = time }
        let wasAway = facing.isAway
        if let yaw = seen.lazy.compactMap(\.yaw).first {
            let turn = abs(yaw) > 180 ? 360 - abs(yaw) : abs(yaw)
            facing.step(isTurned: turn > facing.limit(tuning), since: time, at: time, tuning)
            if time == firstSeen, turn > tuning.faceAwayYaw { facing = .away }
        } else {
            facing.step(isTurned: faceSeen.map { $0 < time } ?? false, since: faceSeen ?? time, at: time, tuning)
        }
        if wasAway, !facing.isAway { arrived = time }
    }
}

extension Detection.Kind {
    /// The order in which the members of a group stand for it.
    var rank: Int {
        switch self {
        case .face, .catHead, .dogHead: 0
        case .humanHead: 1
        case .humanBody, .catBody, .dogBody: 2
        case .salientObject: 3
        }
    }

    var isPet: Bool {
        switch self {
        case .catHead, .catBody, .dogHead, .dogBody: true
        case .face, .humanHead, .humanBody, .salientObject: false
        }
    }
}

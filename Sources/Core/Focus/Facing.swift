/// Facing state of a subject, towards the camera or away, debounced both ways.
enum Facing: Sendable, Equatable {
    case camera
    case leaving(since: Int64)
    case away
    case returning(since: Int64)

    var isAway: Bool {
        switch self {
        case .camera, .leaving: false
        case .away, .returning: true
        }
    }

    /// Yaw in degrees above which a face counts as turned away in this state.
    func limit(_ tuning: FocusTuning) -> Double { self == .camera ? tuning.faceAwayYaw : tuning.faceBackYaw }

    /// Updates the state; `since` is the earliest time at which the face may have turned away.
    mutating func step(isTurned: Bool, since: Int64, at time: Int64, _ tuning: FocusTuning) {
        switch (self, isTurned) {
        case (.camera, true): self = .leaving(since: since)
        case (.leaving, false): self = .camera
        case (.away, false): self = .returning(since: time)
        case (.returning, true): self = .away
        default: break
        }
        if case .leaving(let since) = self, time - since >= tuning.faceAway { self = .away }
        if case .returning(let since) = self, time - since >= tuning.faceBack { self = .camera }
    }
}

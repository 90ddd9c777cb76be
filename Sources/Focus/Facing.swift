/// Whether a subject looks into the camera, debounced both ways.
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

    /// The yaw, in degrees, from which on a face counts as turned in this state.
    func limit(_ tuning: FocusTuning) -> Double { self == .camera ? tuning.faceAwayYaw : tuning.faceBackYaw }

    /// Takes in whether the face is turned away, since when at the earliest.
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

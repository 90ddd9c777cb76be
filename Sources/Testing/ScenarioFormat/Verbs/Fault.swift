/// Fault of detection, of the camera, or of the system around it; times in nanoseconds.
public enum Fault: Sendable, Equatable {
    /// Missed detection: the subject is present and is not reported.
    case missDetection(String, until: Int64)
    /// Identity switch: from here on the tracker confuses both subjects.
    case swapIDs(String, String)
    /// Dropped frames, this many.
    case dropFrames(Int)
    /// Interruption of the session until a time; no frame comes meanwhile.
    case interrupt(Interruption, until: Int64)
    /// Reset of the media services: the session stops with a runtime error.
    case runtimeError
    /// Disconnection of the camera, for good.
    case disconnect
    /// Full disk from here on.
    case diskFull
    /// System pressure of the camera.
    case pressure(Pressure)
    /// Late metadata: until a time the app gets a frame's objects this many frames later.
    case lateMetadata(frames: Int, until: Int64)
    /// Withdrawn permission to use cameras: an open camera films on, none can be opened.
    case deny

    /// Level of system pressure, as in Apple's `SystemPressureState.Level`.
    public enum Pressure: String, Sendable, CaseIterable { case nominal, fair, serious, critical }

    /// Reason for which the system takes the camera away, by the scenario's words.
    public enum Interruption: String, Sendable, CaseIterable {
        case otherApp, background, splitScreen, pressure
    }

    /// Whether it happens in the camera's feed, and not around the camera.
    package var isInFeed: Bool {
        switch self {
        case .missDetection, .swapIDs, .dropFrames: true
        case .interrupt, .runtimeError, .disconnect, .diskFull, .pressure, .lateMetadata, .deny: false
        }
    }
}

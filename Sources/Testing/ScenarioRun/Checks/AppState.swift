import ScenarioFormat

/// State of the app and its touch, which a frame does not carry.
struct AppState: Sendable {
    /// Nil before the first frame.
    var recording: Expectation.Recording?
    /// Since the start.
    var droppedFrames = 0
    /// Verb of the touch that is down, in words; nil while none is.
    var finger: String?
    /// Nil before the first word of it.
    var camera: Expectation.Camera?
}

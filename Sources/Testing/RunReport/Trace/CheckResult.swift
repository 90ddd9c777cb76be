import ScenarioFormat

/// Outcome of one expectation.
public struct CheckResult: Sendable, Equatable {
    /// Time at which it was decided, nanoseconds.
    public var time: Int64
    /// Place in the scenario file, for messages.
    public var location: FileLocation
    /// Expectation, the state found instead, its start and reason, in words; nil when it held.
    public var failure: String?

    /// Creates an outcome; `failure` is nil when the expectation held.
    package init(time: Int64, location: FileLocation, failure: String? = nil) {
        self.time = time
        self.location = location
        self.failure = failure
    }
}

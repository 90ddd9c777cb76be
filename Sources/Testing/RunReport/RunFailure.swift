import ScenarioFormat

/// Failed expectation or fault of a run.
public struct RunFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// Place in the scenario file, for messages.
    public var location: FileLocation
    /// Failure in words.
    public var message: String

    /// Creates a failure at a place of the scenario file.
    public init(location: FileLocation, message: String) { (self.location, self.message) = (location, message) }

    /// `place: message`.
    public var description: String { "\(location): \(message)" }
}

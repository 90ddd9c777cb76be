/// Failed expectation of a test, or a call that would have ended the app.
public struct TestFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// `file:line` of the expectation; nil for a fault found at the end.
    public var place: String?
    /// Expectation and the state found instead, in words.
    public var message: String

    /// `file:line: message`.
    public var description: String { place.map { "\($0): \(message)" } ?? message }

    init(_ message: String, _ file: StaticString? = nil, _ line: UInt = 0) {
        place = file.map { "\($0):\(line)" }
        self.message = message
    }
}

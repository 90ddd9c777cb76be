/// What a test expected of a phone and did not find.
public struct TestFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// File and line of the expectation; nil for what was found at the end.
    public var place: String?
    public var message: String

    public var description: String { place.map { "\($0): \(message)" } ?? message }

    init(_ message: String, _ file: StaticString? = nil, _ line: UInt = 0) {
        place = file.map { "\($0):\(line)" }
        self.message = message
    }
}

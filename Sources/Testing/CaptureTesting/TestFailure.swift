/// Failed expectation of a test, or a call that would have ended the app.
public struct TestFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// `file:line` of the expectation; nil for a fault found at the end.
    public var place: String?
    /// Expectation and the state found instead, in words.
    public var message: String

    /// Focus of the last five seconds of virtual time, a line for each change; empty until the failure leaves `withTestPhone`.
    public var chronicle: [String] = []

    /// `file:line: message`, and the last seconds.
    public var description: String {
        let head = place.map { "\($0): \(message)" } ?? message
        return chronicle.isEmpty ? head : ([head, "the last seconds:"] + chronicle.map { "  \($0)" }).joined(separator: "\n")
    }

    init(_ message: String, _ file: StaticString? = nil, _ line: UInt = 0) {
        place = file.map { "\($0):\(line)" }
        self.message = message
    }
}

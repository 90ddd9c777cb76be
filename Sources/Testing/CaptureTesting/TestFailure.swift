/// Failed expectation of a test, or a call that would have ended the app.
public struct TestFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// Expectation and the state found instead, in words.
    public var message: String
    /// Focus of the last five seconds of virtual time, a line for each change; empty until the failure leaves `withTestPhone`.
    public var chronicle: [String] = []
    /// Place of the expectation in the test; nil for none.
    var source: Source?

    /// Line of a source file.
    struct Source: Sendable, Equatable {
        let file: StaticString
        let line: UInt

        static func == (a: Source, b: Source) -> Bool { a.file.description == b.file.description && a.line == b.line }
    }

    /// `file:line` of the expectation; nil for a fault without one.
    public var place: String? { source.map { "\($0.file):\($0.line)" } }

    /// Message and the last seconds, without the place.
    var text: String { chronicle.isEmpty ? message : ([message, "the last seconds:"] + chronicle.map { "  \($0)" }).joined(separator: "\n") }

    /// `file:line: message`, and the last seconds.
    public var description: String { place.map { "\($0): \(text)" } ?? text }

    init(_ message: String, _ file: StaticString? = nil, _ line: UInt = 0) {
        self.message = message
        source = file.map { Source(file: $0, line: line) }
        if source != nil { remember() }
    }
}

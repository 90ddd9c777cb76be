/// Verb as the file has it: its documentation, the shape of its value, and its reader.
protocol ReadableVerb: TimelineVerb {
    /// Sentence for the schema and the documentation.
    static var about: String { get }
    /// Shape of its value.
    static var shape: FormatShape { get }
    /// Whether it has a meaning at `end`, when no frame follows.
    static var mayStandAtEnd: Bool { get }
    /// Reads its value.
    init(_ entry: VerbEntry, _ reader: inout TimelineReader) throws(ScenarioError)
}

extension ReadableVerb {
    /// False.
    static var mayStandAtEnd: Bool { false }
}

/// Verb in the file: its key and value, and the time of its event.
struct VerbEntry {
    let key: Node
    let value: Node
    /// Nanoseconds; `TimelineClock.end` is the end of the clip.
    let time: Int64
}

/// `{tap: maya}`: a touch of 100 ms.
struct TapVerb: GestureVerb, ReadableVerb {
    static let name = "tap"
    static let about = "A finger down for 100 ms; it acts on release."
    static let shape = Format.place
    /// Duration of the touch, nanoseconds.
    private static let duration: Int64 = 100_000_000

    let steps: [TouchStep]
    let object: String

    init(_ entry: VerbEntry, _ reader: inout TimelineReader) throws(ScenarioError) {
        let point = try reader.touchPoint(entry.value)
        steps = [TouchStep(delay: 0, phase: .down, point: point), TouchStep(delay: Self.duration, phase: .up)]
        object = point.summary
        try reader.occupyFinger(for: steps, entry)
    }
}

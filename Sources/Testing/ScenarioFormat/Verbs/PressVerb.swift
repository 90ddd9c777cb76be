/// `{press: {on: maya, for: 310ms}}`: a touch of an exact duration.
struct PressVerb: GestureVerb, ReadableVerb {
    static let name = "press"
    static let about = "A finger down for as long as `for` says."
    static let table = Format.point.adding("press", [FormatKey("for", .time, "How long, like 310ms.")])
    static let shape = FormatShape.table(table)

    let steps: [TouchStep]
    let object: String

    init(_ entry: VerbEntry, _ reader: inout TimelineReader) throws(ScenarioError) {
        let fields = try Fields(entry.value, of: "press", Self.table)
        let duration = try reader.timebase.duration(try fields.required("for", "how long, like 310ms"), "how long to press")
        let point = try reader.touchPoint(entry.value, Self.table)
        steps = [TouchStep(delay: 0, phase: .down, point: point), TouchStep(delay: duration, phase: .up)]
        object = point.summary
        try reader.occupyFinger(for: steps, entry)
    }
}

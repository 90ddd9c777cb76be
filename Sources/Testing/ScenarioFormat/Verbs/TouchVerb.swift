/// `{touch: [{down: maya}, {wait: 200ms}, {move: {view: [0.5, 0.5]}}, up]}`: a touch step by step.
struct TouchVerb: GestureVerb, ReadableVerb {
    static let name = "touch"
    static let about = "A finger step by step: down, wait, move, up."
    static let table = FormatTable(
        "touchStep",
        [
            FormatKey("down", Format.place, "The finger comes down."), FormatKey("wait", .time, "It stays."),
            FormatKey("move", Format.place, "It moves there."),
        ])
    static let shape = FormatShape.list(.either([.words(["up"]), .table(table)]))

    let steps: [TouchStep]
    let object = ""

    init(_ entry: VerbEntry, _ reader: inout TimelineReader) throws(ScenarioError) {
        steps = try Self.steps(entry.value, reader)
        try reader.occupyFinger(for: steps, entry)
    }

    private static func steps(_ node: Node, _ reader: TimelineReader) throws(ScenarioError) -> [TouchStep] {
        var (steps, delay): ([TouchStep], Int64) = ([], 0)
        for item in try node.list(of: "touch") {
            if steps.last?.phase == .up { throw item.error("nothing follows `up`") }
            if item.raw == "up" {
                guard !steps.isEmpty else { throw item.error("a touch begins with `down`") }
                steps.append(TouchStep(delay: delay, phase: .up))
                continue
            }
            let fields = try Fields(item, of: "a step of touch (down, wait, move, up)", table)
            guard let key = fields.keys.first, fields.keys.count == 1, let value = fields[key.raw] else {
                throw item.error("a step of touch is one of {down: point}, {wait: time}, {move: point}, up")
            }
            guard steps.isEmpty == (key.raw == "down") else {
                throw key.error(steps.isEmpty ? "a touch begins with `down`" : "the finger is down already")
            }
            switch key.raw {
            case "wait": delay += try reader.timebase.duration(value)
            case let phase:
                steps.append(TouchStep(delay: delay, phase: phase == "down" ? .down : .move, point: try reader.touchPoint(value)))
            }
        }
        guard steps.last?.phase == .up else { throw node.error("a touch ends with `up`") }
        return steps
    }
}

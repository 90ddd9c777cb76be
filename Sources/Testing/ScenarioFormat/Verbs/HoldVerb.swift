/// `{hold: {focus: maya, until: 5s}}`: true in every frame from here until a time, a mark or for a while.
struct HoldVerb: CheckVerb, ReadableVerb {
    static let name = "hold"
    static let about = "Must be true in every frame until or for a time."
    static let table = Format.checks.adding("hold", [FormatKey("until", .instant, "A time or a mark."), FormatKey("for", .time, "How long.")])
    static let shape = FormatShape.table(table)

    let expectation: Expectation

    init(_ entry: VerbEntry, _ reader: inout TimelineReader) throws(ScenarioError) {
        let (node, clock) = (entry.value, reader.clock)
        let fields = try Fields(node, of: "hold", Self.table)
        var expected = try reader.checks(fields)
        let until = try fields.read("until") { node throws(ScenarioError) in try clock.moment(node) }
        let length = try fields.read("for") { node throws(ScenarioError) in try clock.timebase.duration(node, "`for`") }
        guard (until == nil) != (length == nil) else {
            throw node.error("`hold` needs its end, once", suggestion: "add `until: 5s`, `until: end` or `for: 2s`")
        }
        let end = until ?? entry.time + (length ?? 0)
        guard end > entry.time else { throw node.error("`hold` ends at \(TimelineClock.name(of: end)), not after it begins") }
        try reader.requireChecks(fields, besides: ["until", "for"], verb: "hold")
        expected.span = .hold(until: end)
        expectation = expected
    }
}

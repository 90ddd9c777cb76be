/// `{never: {focus: cat, since: 5s}}`: true in no frame since a time until here, or from here until a time.
struct NeverVerb: CheckVerb, ReadableVerb {
    static let name = "never"
    static let about = "May be true in no frame since or until a time."
    static let table = Format.checks.adding(
        "never", [FormatKey("since", .instant, "A time or a mark."), FormatKey("until", .instant, "A time or a mark.")])
    static let shape = FormatShape.table(table)
    static let mayStandAtEnd = true

    let expectation: Expectation

    init(_ entry: VerbEntry, _ reader: inout TimelineReader) throws(ScenarioError) {
        let (node, clock) = (entry.value, reader.clock)
        let fields = try Fields(node, of: "never", Self.table)
        var expected = try reader.checks(fields)
        let since = try fields.read("since") { node throws(ScenarioError) in try clock.moment(node) }
        let until = try fields.read("until") { node throws(ScenarioError) in try clock.moment(node) }
        guard (since == nil) != (until == nil) else {
            throw node.error("`never` needs its time, once", suggestion: "add `since: 5s` or `until: 9s`, or the name of a mark")
        }
        let span = (since ?? entry.time, until ?? entry.time)
        guard span.0 < span.1 else {
            throw node.error("`never` looks at no frame from \(TimelineClock.name(of: span.0)) to \(TimelineClock.name(of: span.1))")
        }
        try reader.requireChecks(fields, besides: ["since", "until"], verb: "never")
        expected.span = .never(since: span.0, until: span.1)
        expectation = expected
    }
}

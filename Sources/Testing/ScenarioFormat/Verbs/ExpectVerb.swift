/// `{expect: {focus: maya, within: 1s}}`: true in a frame, now or soon.
struct ExpectVerb: CheckVerb, ReadableVerb {
    static let name = "expect"
    static let about = "Must be true now, or within a time."
    static let table = Format.checks.adding(
        "expect",
        [
            FormatKey(
                "blur", .named(FormatShape.name, .pattern("[<>] *[0-9.]+ *px")), "How far the background or a subject is blurred; with --render."),
            FormatKey("within", .time, "How long it may take to become true."),
        ])
    static let shape = FormatShape.table(table)
    static let mayStandAtEnd = true

    let expectation: Expectation

    init(_ entry: VerbEntry, _ reader: inout TimelineReader) throws(ScenarioError) {
        let fields = try Fields(entry.value, of: "expect", Self.table)
        var expected = try reader.checks(fields)
        expected.blurs = try fields.read("blur", reader.blurs) ?? []
        if fields["blur"] != nil, let within = fields["within"] {
            throw within.error("blur is looked at in one frame, so it has no `within`", suggestion: "give it an `expect` of its own")
        }
        expected.within =
            try fields.read("within") { [timebase = reader.timebase] node throws(ScenarioError) in
                try timebase.duration(node, "`within`")
            } ?? 0
        if fields.keys.allSatisfy({ $0.raw == "within" }) {
            throw entry.value.error("`expect` expects nothing here", suggestion: "add `focus: …` or another field")
        }
        if entry.time == TimelineClock.end, let within = fields["within"] { throw within.error("nothing comes after the end to wait for") }
        expectation = expected
    }
}

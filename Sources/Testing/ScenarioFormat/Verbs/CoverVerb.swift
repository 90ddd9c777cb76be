import Stage

/// `{cover: {for: 500ms}}`: a hand over the lens.
package struct CoverVerb: WorldVerb, ReadableVerb {
    package static let name = "cover"
    static let about = "A hand over the lens."
    static let table = FormatTable("cover", [FormatKey("for", .time, "How long.")])
    static let shape = FormatShape.table(table)

    /// Nanoseconds.
    private let duration: Int64
    package let object = ""

    /// Creates a covered lens, for a duration in nanoseconds.
    package init(for duration: Int64) { self.duration = duration }

    init(_ entry: VerbEntry, _ reader: inout TimelineReader) throws(ScenarioError) {
        let fields = try Fields(entry.value, of: "cover", Self.table)
        duration = try reader.timebase.duration(try fields.required("for", "how long, like 800ms"), "how long to cover the lens")
        guard duration > 0 else { throw entry.value.error("covering the lens takes some time") }
    }

    package func apply(to world: inout World, at time: Int64) { world.covers.append(time..<time + duration) }
}

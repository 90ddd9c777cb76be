/// `{mark: locked}`: a name for the time of the event.
struct MarkVerb: PlayedVerb, ReadableVerb {
    static let name = "mark"
    static let about = "Gives this time a name."
    static let shape = FormatShape.subject

    let object: String

    init(_ entry: VerbEntry, _ reader: inout TimelineReader) throws(ScenarioError) {
        object = try reader.clock.mark(entry.value, at: entry.time)
    }

    var command: AppCommand { .mark }
}

/// `{photo: take}`.
struct PhotoVerb: PlayedVerb, ReadableVerb {
    static let name = "photo"
    static let about = "The app takes a photo."
    static let shape = FormatShape.words(["take"])

    let object = "take"

    init(_ entry: VerbEntry, _ reader: inout TimelineReader) throws(ScenarioError) {
        try reader.requireOutput(.photo, entry)
        try entry.value.choice("what to do with a photo", [("take", ())])
    }

    var command: AppCommand { .act(.takePhoto) }
}

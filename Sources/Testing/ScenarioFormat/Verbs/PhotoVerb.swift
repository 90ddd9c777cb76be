/// `{photo: take}`.
struct PhotoVerb: ActionVerb, ReadableVerb {
    static let name = "photo"
    static let about = "The app takes a photo."
    static let shape = FormatShape.words(["take"])

    let object = "take"
    var outputs: [ScenarioFile.Output] { [.photo] }

    init(_ entry: VerbEntry, _ reader: inout TimelineReader) throws(ScenarioError) {
        try reader.requireOutput(.photo, entry)
        try entry.value.choice("what to do with a photo", [("take", ())])
    }

    var action: AppAction { .takePhoto }
}

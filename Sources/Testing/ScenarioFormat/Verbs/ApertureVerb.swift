/// `{aperture: f/2.8}` or `{aperture: {to: f/1.4, over: 2s}}`: an aperture pull.
///
/// The reciprocal of the f-number follows the curve, so that the blur, which is proportional to it, grows evenly.
struct ApertureVerb: PlayedVerb, ReadableVerb {
    static let name = "aperture"
    static let about = "The simulated aperture changes, at once or over a time."
    static let table = FormatTable("aperturePull", [FormatKey("to", .fNumber, "Like f/1.4.")] + Passage.keys)
    static let shape = FormatShape.either([.fNumber, .table(table)])

    let object: String
    private let target: Double
    private let passage: Passage

    init(_ entry: VerbEntry, _ reader: inout TimelineReader) throws(ScenarioError) {
        guard entry.value.isMapping else {
            (target, passage, object) = (try reader.scenario.aperture(entry.value), Passage(), entry.value.raw)
            return
        }
        let fields = try Fields(entry.value, of: "aperture", Self.table)
        let to = try fields.required("to", "like f/1.4")
        target = try reader.scenario.aperture(to)
        passage = try Passage(fields, reader)
        object = to.raw
    }

    var command: AppCommand { .pullAperture(to: target, passage) }
}

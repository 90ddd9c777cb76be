/// `{set: {aperture: f/2.8}}`, `{set: {zoom: 1.5}}` or `{set: {stabilization: cinematic}}`.
struct SetVerb: PlayedVerb, ReadableVerb {
    static let name = "set"
    static let about = "The app changes one thing: aperture, zoom or stabilization."
    static let table = FormatTable(
        "set",
        [
            FormatKey("aperture", .fNumber, "Simulated f-number."), FormatKey("zoom", .number, "Zoom factor."),
            FormatKey("stabilization", .words(AppCommand.Stabilization.self), "How the movie is stabilized."),
        ])
    static let shape = FormatShape.table(table)

    let control: AppCommand.Control
    let object: String

    init(_ entry: VerbEntry, _ reader: inout TimelineReader) throws(ScenarioError) {
        let fields = try Fields(entry.value, of: "set", Self.table)
        guard let key = fields.keys.first, fields.keys.count == 1, let value = fields[key.raw] else {
            throw entry.value.error("`set` changes one thing: aperture, zoom or stabilization", suggestion: "write one event for each")
        }
        object = "\(key.raw) \(value.raw)"
        switch key.raw {
        case "aperture": control = .aperture(try reader.scenario.aperture(value))
        case "zoom": control = .zoom(try value.number("the zoom factor"))
        default: control = .stabilization(try value.choice("a way to stabilize", AppCommand.Stabilization.self))
        }
    }

    var command: AppCommand { .set(control) }
}

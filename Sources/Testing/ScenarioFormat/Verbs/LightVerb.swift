import Stage

/// `{light: 3lx}` or `{light: {to: 3lx, over: 300ms}}`.
package struct LightVerb: WorldVerb, ReadableVerb {
    package static let name = "light"
    static let about = "The light changes."
    static let table = FormatTable("lightChange", [FormatKey("to", .lux, "Like 3lx.")] + Passage.keys)
    static let shape = FormatShape.either([.lux, .table(table)])

    private let lux: Double
    private let passage: Passage
    package let object: String

    /// Creates a change of the illuminance, lux.
    package init(to lux: Double, _ passage: Passage) {
        self.lux = lux
        self.passage = passage
        object = "\(String(plain: lux))lx"
    }

    init(_ entry: VerbEntry, _ reader: inout TimelineReader) throws(ScenarioError) {
        guard entry.value.isMapping else {
            lux = try entry.value.lux("light")
            passage = Passage()
            object = entry.value.raw
            return
        }
        let fields = try Fields(entry.value, of: "light", Self.table)
        let to = try fields.required("to", "like 3lx")
        lux = try to.lux("light")
        passage = try Passage(fields, reader)
        object = to.raw
    }

    package func apply(to world: inout World, at time: Int64) {
        world.light.move(to: lux, start: time, over: passage.duration, ease: passage.ease)
    }
}

import Stage

/// `{camera: {pan: 5deg, shake: 0.2%, over: 1s}}`: movement of the camera.
struct CameraVerb: WorldVerb, ReadableVerb {
    static let name = "camera"
    static let about = "The camera pans or shakes."
    static let table = FormatTable(
        "camera", [FormatKey("pan", .degrees, "To the right."), FormatKey("shake", .fraction, "Of the picture's width.")] + Passage.keys)
    static let shape = FormatShape.table(table)

    /// Degrees, + to the right; nil leaves it.
    private let pan: Double?
    /// Fraction of the picture's width; nil leaves it.
    private let shake: Double?
    private let passage: Passage
    let object = ""

    init(_ entry: VerbEntry, _ reader: inout TimelineReader) throws(ScenarioError) {
        let fields = try Fields(entry.value, of: "camera", Self.table)
        pan = try fields.read("pan") { node throws(ScenarioError) in try node.degrees("the pan") }
        shake = try fields.read("shake") { node throws(ScenarioError) in try node.fraction("the shake, of the picture's width,") }
        guard pan != nil || shake != nil else { throw entry.value.error("`camera` needs `pan`, `shake` or both") }
        passage = try Passage(fields, reader)
    }

    func apply(to world: inout World, at time: Int64) {
        if let pan { world.camera.pan.move(to: pan, start: time, over: passage.duration, ease: passage.ease) }
        if let shake { world.camera.shake.move(to: shake, start: time, over: passage.duration, ease: passage.ease) }
    }
}

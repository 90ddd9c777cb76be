import AVFCapture
import Pipeline

/// `{aperture: f/2.8}` or `{aperture: {to: f/1.4, over: 2s}}`: an aperture pull.
///
/// The reciprocal of the f-number follows the curve, so that the blur, which is proportional to it, grows evenly.
struct ApertureVerb: GradualVerb, ReadableVerb {
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

    var duration: Int64 { passage.duration }
    var fNumber: Double? { target }

    func begin(on app: ScriptedApp) throws -> @Sendable (ScriptedApp, Double) throws -> Void {
        let (start, target, ease) = (1 / Double(try app.input().simulatedAperture), 1 / target, passage.ease)
        return { app, progress in try app.setAperture(progress < 1 ? 1 / (start + (target - start) * ease(progress)) : 1 / target) }
    }

    func play(on app: ScriptedApp) throws { try app.setAperture(target) }
}

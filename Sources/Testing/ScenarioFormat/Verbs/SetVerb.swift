import AVFCapture

/// `{set: {aperture: f/2.8}}`, `{set: {zoom: 1.5}}` or `{set: {stabilization: cinematic}}`.
struct SetVerb: PlayedVerb, ReadableVerb {
    static let name = "set"
    static let about = "The app changes one thing: aperture, zoom or stabilization."
    static let table = FormatTable(
        "set",
        [
            FormatKey("aperture", .fNumber, "Simulated f-number."), FormatKey("zoom", .number, "Zoom factor."),
            FormatKey("stabilization", .words(stabilizations.map(\.name)), "How the movie is stabilized."),
        ])
    static let shape = FormatShape.table(table)

    private static let stabilizations: [(name: String, value: AVCaptureVideoStabilizationMode)] = [
        ("off", .off), ("standard", .standard), ("cinematic", .cinematic), ("cinematicExtended", .cinematicExtended),
        ("cinematicExtendedEnhanced", .cinematicExtendedEnhanced), ("auto", .auto),
    ]

    /// Control of the app, with its new value.
    enum Control: Sendable {
        case aperture(Double)
        case zoom(Double)
        case stabilization(AVCaptureVideoStabilizationMode)
    }

    let control: Control
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
        default: control = .stabilization(try value.choice("a way to stabilize", Self.stabilizations))
        }
    }

    var fNumber: Double? { if case .aperture(let fNumber) = control { fNumber } else { nil } }
    var outputs: [ScenarioFile.Output] { if case .stabilization = control { [.movie] } else { [] } }

    func play(on app: ScriptedApp) throws {
        switch control {
        case .aperture(let fNumber): try app.setAperture(fNumber)
        case .zoom(let factor): try app.whileLocked { $0.videoZoomFactor = CGFloat(factor) }
        case .stabilization(let mode):
            let output = try app.session().outputs.lazy.compactMap { $0 as? AVCaptureMovieFileOutput }.first
            guard let connection = output?.connection(with: .video) else {
                throw PlayFailure("no connection of the app can stabilize: it takes a movie output")
            }
            connection.preferredVideoStabilizationMode = mode
        }
    }
}

import AVFoundation
import CameraApp

/// `{record: start}`: a step of a recording.
struct RecordVerb: PlayedVerb, ReadableVerb {
    /// Step of a recording.
    enum Step: String, Sendable, CaseIterable { case start, stop, pause, resume }

    static let name = "record"
    static let about = "A step of a recording."
    static let shape = FormatShape.words(Step.self)

    let step: Step
    var object: String { step.rawValue }
    var outputs: [ScenarioFile.Output] { [.movie] }

    init(_ entry: VerbEntry, _ reader: inout TimelineReader) throws(ScenarioError) {
        try reader.requireOutput(.movie, entry)
        step = try entry.value.choice("a step of a recording", Step.self)
    }

    func play(on app: ScriptedApp) throws {
        let camera = try app.camera()
        switch step {
        case .start: try camera.startRecording()
        case .stop: try camera.recorder().stopRecording()
        case .pause: try camera.recorder().pauseRecording()
        case .resume: try camera.recorder().resumeRecording()
        }
    }
}

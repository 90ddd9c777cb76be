/// `{record: start}`: a step of a recording.
struct RecordVerb: ActionVerb, ReadableVerb {
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

    var action: AppAction {
        switch step {
        case .start: .startRecording
        case .stop: .stopRecording
        case .pause: .pauseRecording
        case .resume: .resumeRecording
        }
    }
}

/// `{record: start}`: a step of a recording.
struct RecordVerb: PlayedVerb, ReadableVerb {
    /// Step of a recording.
    enum Step: String, Sendable, CaseIterable { case start, stop, pause, resume }

    static let name = "record"
    static let about = "A step of a recording."
    static let shape = FormatShape.words(Step.self)

    let step: Step
    var object: String { step.rawValue }

    init(_ entry: VerbEntry, _ reader: inout TimelineReader) throws(ScenarioError) {
        try reader.requireOutput(.movie, entry)
        step = try entry.value.choice("a step of a recording", Step.self)
    }

    var command: AppCommand {
        switch step {
        case .start: .act(.startRecording)
        case .stop: .act(.stopRecording)
        case .pause: .act(.pauseRecording)
        case .resume: .act(.resumeRecording)
        }
    }
}

import AVFCapture

/// `{session: stop}`: a step of the session's life or of its configuration.
package struct SessionVerb: PlayedVerb, ReadableVerb {
    /// Step of a session.
    package enum Step: String, Sendable, CaseIterable { case start, stop, begin, commit }

    package static let name = "session"
    static let about = "A step of the session."
    static let shape = FormatShape.words(Step.self)

    /// Step of the session.
    package let step: Step
    package var object: String { step.rawValue }

    init(_ entry: VerbEntry, _ reader: inout TimelineReader) throws(ScenarioError) {
        step = try entry.value.choice("a step of the session", Step.self)
    }

    package var isBetweenFrames: Bool { true }

    package func play(on app: ScriptedApp) throws {
        let session = try app.session()
        switch step {
        case .start: session.startRunning()
        case .stop: session.stopRunning()
        case .begin: session.beginConfiguration()
        case .commit: session.commitConfiguration()
        }
    }
}

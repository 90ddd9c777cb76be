/// `{session: stop}`: a step of the session's life or of its configuration.
package struct SessionVerb: PlayedVerb, ReadableVerb {
    package static let name = "session"
    static let about = "A step of the session."
    static let shape = FormatShape.words(AppCommand.SessionStep.self)

    /// Step of the session.
    package let step: AppCommand.SessionStep
    package var object: String { step.rawValue }

    init(_ entry: VerbEntry, _ reader: inout TimelineReader) throws(ScenarioError) {
        step = try entry.value.choice("a step of the session", AppCommand.SessionStep.self)
        if step == .begin { reader.configurations.append(entry.key.mark.line) }
        if step == .commit { _ = reader.configurations.popLast() }
    }

    package var command: AppCommand { .session(step) }
}

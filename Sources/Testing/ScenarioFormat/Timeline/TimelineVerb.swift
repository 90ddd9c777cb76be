import CameraApp
import Foundation
import Stage

/// Verb of an event of the timeline: what happens at its time, or what must be true.
///
/// Each is a type in a file of its own and does one of four things, by the protocol it conforms to: it touches (`GestureVerb`), it is played on the
/// app (`PlayedVerb`), it changes the world (`WorldVerb`), or it checks frames (`CheckVerb`).
package protocol TimelineVerb: Sendable {
    /// Key in the file.
    static var name: String { get }
    /// Object in words, for messages, traces and drawings; empty without one.
    var object: String { get }
}

/// Verb of one finger.
package protocol GestureVerb: TimelineVerb {
    /// Steps of the touch, from its first contact to its release.
    var steps: [TouchStep] { get }
}

/// Verb that is played on the app at its exact time, between two frames.
package protocol PlayedVerb: TimelineVerb {
    /// Plays it; throws the reason why it cannot be.
    func play(on app: ScriptedApp) throws
    /// Simulated f-number that it sets, for the trace; nil for others.
    var fNumber: Double? { get }
    /// Time from its event until it is played, nanoseconds.
    var delay: Int64 { get }
    /// Whether it orders focus, so that the next frame must hold an ordered decision.
    var isFocusOrder: Bool { get }
    /// Outputs that the app's session needs for it.
    var outputs: [ScenarioFile.Output] { get }
    /// Whether a session with threads of its own must not have a frame under way meanwhile: it may stop for it.
    var isBetweenFrames: Bool { get }
}

extension PlayedVerb {
    /// Nil.
    package var fNumber: Double? { nil }
    /// None.
    package var outputs: [ScenarioFile.Output] { [] }
    /// None.
    package var delay: Int64 { 0 }
    /// False.
    package var isFocusOrder: Bool { false }
    /// False.
    package var isBetweenFrames: Bool { false }
}

/// Verb of something that the app does by itself.
package protocol ActionVerb: PlayedVerb {
    /// Action of the verb.
    var action: AppAction { get }
}

extension ActionVerb {
    /// Lets the app act.
    package func play(on app: ScriptedApp) throws { try app.perform(action) }
    /// True.
    package var isBetweenFrames: Bool { true }
}

/// Verb that is played on the app over a time, frame by frame; with a duration of 0 it is played once.
package protocol GradualVerb: PlayedVerb {
    /// Nanoseconds.
    var duration: Int64 { get }
    /// Begins it; returns what plays it at a progress of 0…1, the last time at 1.
    func begin(on app: ScriptedApp) throws -> @Sendable (ScriptedApp, Double) throws -> Void
}

/// Verb that changes the synthetic world, from the first frame at or after its time on.
package protocol WorldVerb: TimelineVerb {
    /// Sets in motion what it moves, from where that is at `time` (ns).
    func apply(to world: inout World, at time: Int64)
    /// Arrival or departure of a subject; nil for other verbs.
    var arrival: Arrival? { get }
}

extension WorldVerb {
    /// Nil.
    package var arrival: Arrival? { nil }
}

/// Arrival or departure of a subject.
package struct Arrival: Sendable {
    /// Name of the subject.
    package let subject: String
    /// Whether the subject arrives.
    package let isEntry: Bool
    /// Time from the event to the change, nanoseconds.
    package let delay: Int64
}

/// Verb that must be true of frames.
package protocol CheckVerb: TimelineVerb {
    /// Checked fields and frames.
    var expectation: Expectation { get }
}

extension CheckVerb {
    /// Empty: messages say what is expected.
    package var object: String { "" }
}

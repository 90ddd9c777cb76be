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
    /// Command that is carried out then.
    var command: AppCommand { get }
    /// Time from its event until it is played, nanoseconds.
    var delay: Int64 { get }
}

extension PlayedVerb {
    /// None.
    package var delay: Int64 { 0 }
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

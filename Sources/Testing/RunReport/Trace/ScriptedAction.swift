import Foundation
import ScenarioFormat

/// Outcome of one step of the script.
public struct ScriptedAction: Sendable, Equatable {
    /// Kind of outcome.
    public enum Outcome: Sendable, Equatable {
        /// Touch at a point, in layer points.
        case touched(TouchStep.Phase, CGPoint)
        case apertureSet(Double)
        /// Focus ordered; the frame's decisions say whether it was obeyed.
        case focusOrdered
        /// Verb played: a call made, or raised as it had to; a mark; a fault.
        case called
        /// Failure, with its reason.
        case failed(String)
    }

    /// Time of the step, nanoseconds.
    public var time: Int64
    /// Place in the scenario file, for messages.
    public var location: FileLocation
    /// Verb and its object, as in the event.
    public var summary: String
    /// Outcome of the step.
    public var outcome: Outcome

    /// Creates the outcome of a step.
    package init(time: Int64, location: FileLocation, summary: String, outcome: Outcome) {
        self.time = time
        self.location = location
        self.summary = summary
        self.outcome = outcome
    }
}

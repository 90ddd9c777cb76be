import Foundation

/// Timeline event: a verb at one time.
public struct TimelineEvent: Sendable {
    /// Time in nanoseconds; `Int64.max` is the end of the clip.
    public var time: Int64
    /// Place in the scenario file, for messages.
    public var location: FileLocation
    /// Verb with its value.
    package var verb: any TimelineVerb

    /// Verb and its object, for messages and drawings: `tap maya`.
    public var summary: String { verb.object.isEmpty ? type(of: verb).name : "\(type(of: verb).name) \(verb.object)" }
}

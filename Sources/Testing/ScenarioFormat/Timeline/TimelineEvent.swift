import Foundation

/// Timeline event: a verb at one time.
public struct TimelineEvent: Sendable {
    /// Time in nanoseconds; `Int64.max` is the end of the clip.
    public var time: Int64
    /// Place in the scenario file, for messages.
    public var location: FileLocation
    /// Verb with its value.
    package var verb: any TimelineVerb

    /// Throws where it lies in footage that ends before, at about `end` nanoseconds, and surely at `latest`.
    package func check(endOfFootage end: Int64, latest: Int64) throws(ScenarioError) {
        guard time >= latest, time != TimelineClock.end else { return }
        throw ScenarioError(
            file: location.description,
            message: "`\(summary)` at \(TimelineClock.seconds(time)) is not in the footage, which ends at \(TimelineClock.seconds(end))")
    }

    /// Verb and its object, for messages and drawings: `tap maya`.
    public var summary: String { verb.object.isEmpty ? type(of: verb).name : "\(type(of: verb).name) \(verb.object)" }
}

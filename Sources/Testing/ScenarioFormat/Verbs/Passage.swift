import Pipeline
import Stage

/// Duration and easing of a change: the keys `over` and `ease`.
package struct Passage: Sendable, Equatable {
    /// Duration in nanoseconds; 0 is at once.
    package var duration: Int64
    /// Easing curve.
    package var ease: Ease

    /// Creates a passage that is over at once, or takes `duration` ns.
    package init(over duration: Int64 = 0, ease: Ease = .inOut) {
        self.duration = duration
        self.ease = ease
    }

    static let keys = [
        FormatKey("over", .time, "How long it takes; at once without."), FormatKey("ease", .words(Ease.self), "Its course."),
    ]

    init(_ fields: Fields, _ reader: TimelineReader) throws(ScenarioError) {
        let duration = try fields.read("over") { node throws(ScenarioError) in try reader.timebase.duration(node, "`over`") }
        let ease = try fields.read("ease") { node throws(ScenarioError) in try node.choice("an ease", Ease.self) }
        if duration == nil, let ease = fields["ease"] { throw ease.error("`ease` needs `over`: what happens at once has no course") }
        self.init(over: duration ?? 0, ease: ease ?? .inOut)
    }
}

/// Decisions in effect at a point of a take: the automatic one, and one of the user's over it. Each keeps the time at which it was taken, which tells
/// from when on its subject was to be sharp.
package struct DecisionsInEffect: Sendable {
    /// In order of time, two at most.
    package private(set) var all: [FocusDecision] = []

    package init() {}

    /// Takes note of the decisions of the next frame.
    package mutating func take(_ decisions: [FocusDecision]) { decisions.forEach { take($0) } }

    private mutating func take(_ decision: FocusDecision) {
        if decision.why == .groupMember, var whole = all.popLast() {
            // Another part of the same subject.
            (whole.subject, whole.disparity) = (decision.subject, decision.disparity)
            all.append(whole)
        } else {
            all = (decision.isUserDecision ? all.filter { !$0.isUserDecision } : []) + [decision]
        }
    }

    /// Decisions for a frame with some of its own, of a movie that knows what was in effect at its last frame: those that it missed, and its own.
    package func decisions(with own: [FocusDecision], since known: DecisionsInEffect) -> [FocusDecision] {
        guard all != known.all else { return own }
        var now = self
        now.take(own)
        return now.all.filter { !known.all.contains($0) }
    }
}

extension FocusDecision {
    /// The decision, taken at `time` (ns) if it was taken before, and landing then if it would have landed.
    package func deferred(to time: Int64) -> FocusDecision {
        guard self.time < time else { return self }
        var decision = self
        decision.time = time
        decision.course?.begin = time
        if let landing = course?.landing { decision.course?.landing = max(landing, time) }
        return decision
    }
}

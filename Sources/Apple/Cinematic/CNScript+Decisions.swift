import CoreMedia
import Focus
import Foundation
import Pipeline
import Synchronization

extension CNScript {
    /// Returns the decision in effect nearest to a time within a tolerance; nil where there is none.
    public func decision(at time: CMTime, tolerance: CMTime) -> CNDecision? {
        withCourse { course in
            let near = course.decisions.map(\.decision).min { CMTimeAbsoluteValue($0.time - time) < CMTimeAbsoluteValue($1.time - time) }
            return near.flatMap { CMTimeAbsoluteValue($0.time - time) <= CMTimeAbsoluteValue(tolerance) ? $0 : nil }
        }
    }

    /// Returns the decisions in effect in a time range.
    public func decisions(in timeRange: CMTimeRange) -> [CNDecision] {
        withCourse { $0.decisions.map(\.decision).filter { timeRange.containsTime($0.time) } }
    }

    /// Returns the first decision in effect after a time; nil where there is none.
    public func decision(after time: CMTime) -> CNDecision? { withCourse { $0.decisions.map(\.decision).first { $0.time > time } } }

    /// Returns the last decision in effect before a time; nil where there is none.
    public func decision(before time: CMTime) -> CNDecision? { withCourse { $0.decisions.map(\.decision).last { $0.time < time } } }

    /// Returns the decision at work at a time, during a transition the one that is left; nil outside of the script.
    public func primaryDecision(at time: CMTime) -> CNDecision? {
        timeRange.containsTime(time) ? withCourse { $0.primary(at: time) } : nil
    }

    /// Returns the decision that focus is on its way to at a time; nil where it rests, and outside of the script.
    public func secondaryDecision(at time: CMTime) -> CNDecision? {
        timeRange.containsTime(time) ? withCourse { $0.secondary(at: time) } : nil
    }

    /// Returns the time of the transition away from a decision; empty where there is none.
    public func timeRangeOfTransition(after decision: CNDecision) -> CMTimeRange {
        withCourse { course in
            guard let place = course.place(of: decision), place + 1 < course.decisions.count else {
                return CMTimeRange(start: decision.time, duration: .zero)
            }
            return course.transitions[place + 1] ?? CMTimeRange(start: course.decisions[place + 1].decision.time, duration: .zero)
        }
    }

    /// Returns the time of the transition towards a decision; empty where there is none.
    public func timeRangeOfTransition(before decision: CNDecision) -> CMTimeRange {
        withCourse { course in
            course.place(of: decision).flatMap { course.transitions[$0] } ?? CMTimeRange(start: decision.time, duration: .zero)
        }
    }

    /// Returns the decisions of the user in a time range: of the recording and added since.
    public func userDecisions(in timeRange: CMTimeRange) -> [CNDecision] {
        state.withLock { $0.userDecisions(recording) }.map(\.decision).filter { timeRange.containsTime($0.time) }
    }

    /// Returns the automatic decisions of the recording in a time range, also where one of the user's overrides them.
    public func baseDecisions(in timeRange: CMTimeRange) -> [CNDecision] {
        focus.recordedChoices.filter { !$0.isUser }.map { PlacedDecision($0, at: recording.times[$0.frame]).decision }
            .filter { timeRange.containsTime($0.time) }
    }

    /// Adds a decision, in place of one of the user's in the same frame. False for a subject or a group that is not in the script, and a time outside of it.
    @discardableResult
    public func addUserDecision(_ decision: CNDecision) -> Bool {
        guard timeRange.containsTime(decision.time), let frame = recording.frame(at: decision.time, tolerance: recording.frameDuration) else {
            return false
        }
        return state.withLock { Self.add(decision, in: frame, to: &$0, recording) }
    }

    static func add(_ decision: CNDecision, in frame: Int, to state: inout State, _ recording: CinematicRecording) -> Bool {
        var held: Double?
        if case .single(let id) = decision.focusDetectionID {
            guard id != ScriptCourse.nobody else { return false }
            let fixed = state.tracks.first { $0.detectionID == id } as? CNFixedDetectionTrack
            held = Self.heldDisparity(of: id, recording) ?? fixed.map { Double($0.focusDisparity) }
        }
        guard state.focus.add(FocusScript.Choice(decision, held: held, in: frame)) else { return false }
        state.given[frame] = CNDecision(time: decision.time, decision.focusDetectionID, isStrong: decision.isStrongDecision, isUser: true)
        state.course = nil
        return true
    }

    /// Disparity of the distance that was held under a number while recording; nil for another number.
    static func heldDisparity(of id: CNDetectionID, _ recording: CinematicRecording) -> Double? {
        recording.samples.lazy.flatMap(\.decisions).first { $0.isFixed && $0.subject.map { Int64($0) } == id.rawValue }?.disparity
    }

    /// Removes a decision of the user's, also one of the recording. False for another.
    @discardableResult
    public func removeUserDecision(_ decision: CNDecision) -> Bool {
        state.withLock { state in
            guard let placed = state.userDecisions(recording).first(where: { $0.decision == decision }) else { return false }
            state.focus.removeUserChoice(in: placed.frame)
            (state.given[placed.frame], state.course) = (nil, nil)
            return true
        }
    }

    /// Removes all decisions of the user's, also those of the recording: the automatic ones remain.
    public func removeAllUserDecisions() {
        state.withLock { state in
            state.focus.removeAllUserChoices()
            (state.given, state.course) = ([:], nil)
        }
    }
}

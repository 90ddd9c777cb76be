import Pipeline

/// Withheld decision: one that a reader would expect and that was not taken, with the reason.
public struct WithheldDecision: Sendable, Equatable {
    /// Reasons for withholding a decision, a closed list.
    public enum Because: String, Sendable, CaseIterable {
        /// More prominent than the subject in focus, but not by the required ratio.
        case lead
        /// Not ahead for the dwell yet.
        case dwell
        /// Last automatic switch too recent.
        case justSwitched
        /// User's weak choice still protected.
        case protected
        /// User's strong focus on a subject.
        case strong
        /// User's focus fixed at a distance, not yielding.
        case fixed
        /// Subject looking away, or back, but not for long enough.
        case grace
        /// Subject in focus missing, but not yet given up.
        case missing
    }

    /// Time from which on the reason holds, nanoseconds of presentation time.
    public var time: Int64
    /// Object ID that would have taken focus; nil when none is present.
    public var subject: Int?
    /// Reason the decision would have had.
    public var why: FocusDecision.Why
    /// Reason for withholding it.
    public var because: Because
    /// Disparity focus would have gone to, 1/m; nil when no object is present.
    public var disparity: Double?

    /// Creates a withheld decision; `time` in nanoseconds, `disparity` in 1/m.
    public init(time: Int64, subject: Int?, why: FocusDecision.Why, because: Because, disparity: Double?) {
        (self.time, self.subject, self.why, self.because, self.disparity) = (time, subject, why, because, disparity)
    }
}

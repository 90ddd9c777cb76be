import Pipeline

/// A decision that was not taken where a reader would expect one, and why not.
public struct WithheldDecision: Sendable, Equatable {
    /// The closed list of reasons.
    public enum Because: String, Sendable, CaseIterable {
        /// It is more prominent than the subject in focus, but not by enough.
        case lead
        /// It has not been ahead for long enough.
        case dwell
        /// The last automatic switch is too recent.
        case justSwitched
        /// The user's weak choice still stands.
        case protected
        /// The user holds focus strongly on a subject.
        case strong
        /// The user holds focus strongly on a distance.
        case fixed
        /// Somebody looks away, or back, but not for long enough.
        case grace
        /// The subject in focus is missing, but may come back.
        case missing
    }

    /// When the reason began to hold, nanoseconds of presentation time.
    public var time: Int64
    /// Who would have taken focus; nil when nobody is there.
    public var subject: Int?
    /// The reason the decision would have had.
    public var why: FocusDecision.Why
    public var because: Because
    /// The disparity focus would have gone to, 1/m; nil when nobody is there.
    public var disparity: Double?

    public init(time: Int64, subject: Int?, why: FocusDecision.Why, because: Because, disparity: Double?) {
        (self.time, self.subject, self.why, self.because, self.disparity) = (time, subject, why, because, disparity)
    }
}

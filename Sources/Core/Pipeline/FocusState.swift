import Foundation

/// Focus mode of Apple's cinematic capture (`CinematicVideoFocusMode`), with its raw values.
public enum FocusMode: Int, Sendable, Codable {
    /// Not in focus.
    case none = 0
    /// Stays until the subject leaves the scene.
    case strong = 1
    /// The algorithm may move on by prominence.
    case weak = 2
}

/// Focus request of the user, resolved against one frame.
public enum FocusRequest: Sendable, Equatable {
    /// Follow the object.
    case track(objectID: Int, mode: FocusMode)
    /// Hold the distance seen at a point (0…1, top left). `objectID` names the fixed-focus object that stands for it.
    case fix(point: CGPoint, disparity: Double, objectID: Int, mode: FocusMode)
    /// The same as ordered: the rack keeps to the course exactly, and the decision is `ordered`.
    indirect case ordered(FocusRequest, RackCourse)
}

/// Focus of one frame; picture, metadata, trace and movie of its presentation time all carry this state.
public struct FocusState: Sendable, Equatable {
    /// Disparity in focus, 1/m, ≥ 0; larger is nearer.
    public var focusDisparity: Double
    /// Object ID in focus, or that of the fixed-focus object; nil when nothing is there to focus on.
    public var subject: Int?
    /// Mode in which the subject holds focus; `none` without a subject.
    public var mode: FocusMode
    /// Point at which the user fixed focus, 0…1 of the unrotated picture, origin top left; nil while focus is not fixed.
    public var fixedPoint: CGPoint?
    /// Transition under way; nil while focus rests on its aim.
    public var rack: Rack?

    /// Creates a state, by default at rest and without a subject.
    public init(focusDisparity: Double, subject: Int? = nil, mode: FocusMode = .none, fixedPoint: CGPoint? = nil, rack: Rack? = nil) {
        self.focusDisparity = focusDisparity
        self.subject = subject
        self.mode = mode
        self.fixedPoint = fixedPoint
        self.rack = rack
    }

    /// Whether focus is fixed at a distance and follows no object.
    public var isFixed: Bool { fixedPoint != nil }
}

/// Rack focus: the transition of focus between two decisions.
public struct Rack: Sendable, Equatable {
    /// Start, nanoseconds of presentation time.
    public var start: Int64
    /// Length in nanoseconds, > 0.
    public var duration: Int64
    /// Disparity at the start, 1/m.
    public var from: Double
    /// Disparity aimed at as the transition began, 1/m; the subject may move meanwhile.
    public var to: Double

    /// Creates a transition; times in nanoseconds, disparities in 1/m.
    public init(start: Int64, duration: Int64, from: Double, to: Double) {
        self.start = start
        self.duration = duration
        self.from = from
        self.to = to
    }
}

/// Focus decision (Apple's `CNDecision`): one choice of subject, and its reason.
public struct FocusDecision: Sendable, Equatable {
    /// Reasons of a decision, a closed list.
    ///
    /// The user's: `tapUnfocused` (weak focus on something else), `tapWeakAgain` (weak focus made strong), `fixedByPress` (a distance held by a long
    /// press), `api` (any other call of the focus API), `ordered` (an order with a course of its own: `FocusOrder`).
    ///
    /// Automatic: `entered` (newly seen, or the first of all), `moreProminent`, `facedAway` (the former subject looks away), `facedBack` (it looks
    /// back), `exited` (it left the picture at its edge), `lost` (it vanished inside), `groupMember` (another part of the same subject, as body for
    /// face), `nothingLeft`.
    public enum Why: String, Sendable, CaseIterable {
        case tapUnfocused, tapWeakAgain, fixedByPress, api, ordered
        case entered, moreProminent, facedAway, facedBack, exited, lost, groupMember, nothingLeft
    }

    /// Presentation time of the frame in which it was taken, nanoseconds.
    public var time: Int64
    /// Object ID that takes focus; nil for `nothingLeft`.
    public var subject: Int?
    /// Mode in which the subject is held from here on.
    public var mode: FocusMode
    /// Whether the user asked for it; false for an automatic decision (Apple's `isUserDecision`).
    public var isUserDecision: Bool
    /// Whether focus is held at a distance; `subject` is then the object that stands for it.
    public var isFixed: Bool
    /// Reason, one of the closed list.
    public var why: Why
    /// Disparity aimed at when it was taken, 1/m.
    public var disparity: Double
    /// Course of an ordered rack; nil for any other decision.
    public var course: RackCourse?

    /// Creates a decision; `time` in nanoseconds, `disparity` in 1/m.
    public init(
        time: Int64, subject: Int?, mode: FocusMode, isUserDecision: Bool, isFixed: Bool = false, why: Why, disparity: Double,
        course: RackCourse? = nil
    ) {
        self.time = time
        self.subject = subject
        self.mode = mode
        self.isUserDecision = isUserDecision
        self.isFixed = isFixed
        self.why = why
        self.disparity = disparity
        self.course = course
    }
}

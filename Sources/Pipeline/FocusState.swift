import Foundation

/// How firmly focus stays on its subject; raw values are Apple's.
public enum FocusMode: Int, Sendable {
    /// Not in focus.
    case none = 0
    /// Stays until the subject leaves the scene.
    case strong = 1
    /// The algorithm may move on by prominence.
    case weak = 2
}

/// What the user asked of focus, resolved against one frame.
public enum FocusRequest: Sendable, Equatable {
    /// Follow the object.
    case track(objectID: Int, mode: FocusMode)
    /// Hold the distance seen at a point (0…1, top left). `objectID` names the fixed-focus object that stands for it.
    case fix(point: CGPoint, disparity: Double, objectID: Int, mode: FocusMode)
}

/// Where focus is in one frame; every output of that frame tells this story.
public struct FocusState: Sendable, Equatable {
    /// The disparity that is sharp, 1/m.
    public var focusDisparity: Double
    /// The focused object, or the fixed-focus object's ID; nil when nothing is there to focus on.
    public var subject: Int?
    public var mode: FocusMode
    /// Set while focus is fixed at a distance: where the user pressed.
    public var fixedPoint: CGPoint?
    /// Set while focus is on its way.
    public var rack: Rack?

    public init(focusDisparity: Double, subject: Int? = nil, mode: FocusMode = .none, fixedPoint: CGPoint? = nil, rack: Rack? = nil) {
        self.focusDisparity = focusDisparity
        self.subject = subject
        self.mode = mode
        self.fixedPoint = fixedPoint
        self.rack = rack
    }

    public var isFixed: Bool { fixedPoint != nil }
}

/// A transition of focus between two decisions.
public struct Rack: Sendable, Equatable {
    /// Start and length in nanoseconds of presentation time.
    public var start: Int64
    public var duration: Int64
    /// Disparity left and disparity aimed at, 1/m.
    public var from: Double
    public var to: Double

    public init(start: Int64, duration: Int64, from: Double, to: Double) {
        self.start = start
        self.duration = duration
        self.from = from
        self.to = to
    }
}

/// One choice of subject, and why.
public struct FocusDecision: Sendable, Equatable {
    /// The closed list of reasons.
    public enum Why: String, Sendable, CaseIterable {
        case tapUnfocused, tapWeakAgain, fixedByPress, api
        case entered, moreProminent, facedAway, facedBack, exited, lost, groupMember, nothingLeft
    }

    /// Nanoseconds of presentation time.
    public var time: Int64
    public var subject: Int?
    public var mode: FocusMode
    public var isUserDecision: Bool
    public var isFixed: Bool
    public var why: Why
    /// The disparity focus goes to, 1/m.
    public var disparity: Double

    public init(time: Int64, subject: Int?, mode: FocusMode, isUserDecision: Bool, isFixed: Bool = false, why: Why, disparity: Double) {
        self.time = time
        self.subject = subject
        self.mode = mode
        self.isUserDecision = isUserDecision
        self.isFixed = isFixed
        self.why = why
        self.disparity = disparity
    }
}

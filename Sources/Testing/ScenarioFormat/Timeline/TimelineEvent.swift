import Foundation
import Pipeline
import Stage

/// Timeline event: an action or an expectation at one time.
public struct TimelineEvent: Sendable {
    /// Time in nanoseconds; `Int64.max` is the end of the clip.
    public var time: Int64
    /// Place in the scenario file, for messages.
    public var location: FileLocation
    /// Verb and its object, for messages and drawings: `tap maya`.
    public var summary: String
    /// Action of the event.
    public var action: Action

    /// Action of an event, one case for each kind of verb.
    public enum Action: Sendable {
        /// Touch of one finger, from its first contact to its release.
        case finger([FingerStep])
        /// Change of the simulated f-number.
        case setAperture(Double)
        case world(WorldVerb)
        case mark(String)
        /// Call of the camera's focus API, without a touch.
        case api(APICall)
        /// Call that must raise this exception and change nothing.
        case throwing(RaisingCall, error: String)
        /// Call to the session, to recordings or to other controls of the camera.
        case camera(CameraCall)
        case fault(Fault)
        case expect(Expectation)
    }
}

/// Step of a touch.
public struct FingerStep: Sendable, Equatable {
    /// Phase of a touch: contact, movement, release.
    public enum Phase: String, Sendable { case down, move, up }

    /// Delay after the event's time, nanoseconds.
    public var delay: Int64
    /// Phase that begins with the step.
    public var phase: Phase
    /// Point touched; nil for `up`, which happens at the last point.
    public var point: TouchPoint?
}

/// Point of a touch, in the space the scenario names.
public enum TouchPoint: Sendable, Equatable {
    /// 0…1 of the preview layer.
    case view(CGPoint)
    /// Points of the preview layer.
    case points(CGPoint)
    /// 0…1 of the unrotated picture, origin top left.
    case meta(CGPoint)
    /// Picture pixels.
    case pixels(CGPoint)
    /// Inside a subject's box as seen in the view; the offset is 0…1 of the box.
    case subject(String, offset: CGPoint)
}

/// Change of the synthetic world.
public enum WorldVerb: Sendable, Equatable {
    /// Side of the picture at which a subject walks in or out.
    public enum Side: String, Sendable, CaseIterable { case left, right }

    /// Arrival of a subject, at once or by walking in from outside the picture.
    case enter(String, from: Side?, Passage)
    case exit(String, to: Side?, Passage)
    case move(String, to: Target, depth: Double?, Passage)
    /// Rotation to a yaw in degrees, as `Subject.yaw`.
    case turn(String, to: Double, Passage)
    /// Change of illuminance to lux.
    case light(to: Double, Passage)
    /// Covered lens, for a duration in nanoseconds.
    case cover(for: Int64)
    /// Occlusion of a subject by a board, for a duration in nanoseconds.
    case occlude(String, for: Int64)
    /// Movement of the camera: pan in degrees, shake as a fraction of the picture's width; nil leaves either.
    case camera(pan: Double?, shake: Double?, Passage)

    /// Duration and easing of a change.
    public struct Passage: Sendable, Equatable {
        /// Duration in nanoseconds; 0 is at once.
        public var duration: Int64 = 0
        /// Easing curve.
        public var ease = Ease.inOut
    }

    /// Target of a move: an exact box, or its middle with the size that belongs to its depth.
    public enum Target: Sendable, Equatable {
        case box(CGRect)
        case middle(CGPoint)
        case stay
    }
}

/// Expectation about one frame; nil fields are not checked.
public struct Expectation: Sendable, Equatable {
    /// Expected object in focus.
    public enum Focus: Sendable, Equatable {
        /// Subject of the scenario by name.
        case subject(String)
        case none
        /// Any object of a class, or near a point, or both.
        case object(kind: Detection.Kind?, near: TouchPoint?)
    }

    /// Value with a tolerance.
    public struct Near: Sendable, Equatable {
        /// Expected value.
        public var value: Double
        /// Greatest allowed difference, ≥ 0, in the value's unit.
        public var tolerance: Double
        /// Whether another value lies within the tolerance.
        public func holds(_ other: Double) -> Bool { abs(other - value) <= tolerance }
    }

    /// Object in focus.
    public var focus: Focus?
    /// Focus mode of the object in focus.
    public var mode: FocusMode?
    /// Whether focus is fixed at a distance.
    public var fixed: Bool?
    /// Whether a rack is under way.
    public var racking: Bool?
    /// Whether something is in focus and no rack is under way.
    public var settled: Bool?
    /// Distance of the plane in focus, metres.
    public var distance: Near?
    /// Simulated f-number, to within 0.005.
    public var aperture: Double?
    /// Whether the scene is reported as too dark.
    public var notEnoughLight: Bool?
    /// Disparity in focus, 1/m.
    public var disparity: Near?
    /// Objects reported, by name or by number.
    public var objects: Objects?
    /// Style in which the app draws subjects' boxes, in the order written.
    public var rects: [Rect] = []
    /// Reason of the last decision.
    public var why: FocusDecision.Why?
    /// State of the movie output.
    public var recording: Recording?
    /// Number of frames dropped before the camera, since the start.
    public var droppedFrames: Int?
    /// Camera in use.
    public var camera: Camera?
    /// Blur of parts of the picture, in the order written; checked in rendered runs only.
    public var blurs: [Blur] = []
    /// Time in which it may become true, nanoseconds; 0 is at once.
    public var within: Int64 = 0
    /// Frames over which it is checked.
    public var span = Span.moment

    /// Frames over which an expectation is checked; times in nanoseconds.
    public enum Span: Sendable, Equatable {
        case moment
        /// `hold`: true in every frame before this time.
        case hold(until: Int64)
        /// `never`: true in no frame of these.
        case never(since: Int64, until: Int64)
    }

    /// State of the movie output.
    public enum Recording: Sendable, Equatable {
        case on, off, paused
        /// Not recording; the last recording ended by this error.
        case failed(String)
    }

    /// Camera in use; `denied` when the app may use none.
    public enum Camera: String, Sendable, CaseIterable { case dualWide, trueDepth, ultraWide, denied }

    /// Expected objects, by number or by name.
    public enum Objects: Sendable, Equatable {
        case count(Int)
        /// Subjects of which at least one object is reported, sorted.
        case names([String])
    }

    /// Expected style of a subject's box.
    public struct Rect: Sendable, Equatable {
        /// Style of a box: not drawn, or its line; weak focus is dashed, strong solid, no focus white.
        public enum Style: String, Sendable, CaseIterable { case none, white, dashed, solid }

        /// Name of the subject.
        public var subject: String
        /// Style of its box.
        public var style: Style
    }
}

import Foundation
import Pipeline
import Stage

/// One thing that happens, or that must be true, at one time.
public struct TimelineEvent: Sendable {
    /// Nanoseconds; `Int64.max` is the end of the clip.
    public var time: Int64
    public var location: FileLocation
    /// The verb and what it is about, for messages and drawings: `tap maya`.
    public var summary: String
    public var action: Action

    public enum Action: Sendable {
        /// One finger, from its first touch to its release.
        case finger([FingerStep])
        /// Simulated f-number.
        case setAperture(Double)
        case world(WorldVerb)
        case mark(String)
        /// A call of the camera's focus API, past the app's fingers.
        case api(APICall)
        /// A call that must raise this exception and change nothing.
        case throwing(RaisingCall, error: String)
        /// A call of the app's that has to do with its session, its recordings or its controls.
        case camera(CameraCall)
        case fault(Fault)
        case expect(Expectation)
    }
}

/// One step of a finger.
public struct FingerStep: Sendable, Equatable {
    public enum Phase: String, Sendable { case down, move, up }

    /// Nanoseconds after the event's time.
    public var delay: Int64
    public var phase: Phase
    /// Nil for `up`, which happens where the finger is.
    public var point: TouchPoint?
}

/// Where a finger touches, in the space the scenario names.
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

/// What changes in the synthetic world.
public enum WorldVerb: Sendable, Equatable {
    public enum Side: String, Sendable, CaseIterable { case left, right }

    /// Comes into the world, at once or by walking in from outside the picture.
    case enter(String, from: Side?, Passage)
    case exit(String, to: Side?, Passage)
    case move(String, to: Target, depth: Double?, Passage)
    /// Degrees, as `Subject.yaw`.
    case turn(String, to: Double, Passage)
    /// Lux.
    case light(to: Double, Passage)
    /// Nanoseconds.
    case cover(for: Int64)
    /// A board is held before the subject, for so many nanoseconds.
    case occlude(String, for: Int64)
    /// Degrees, and a fraction of the picture's width; nil leaves it.
    case camera(pan: Double?, shake: Double?, Passage)

    /// How long a change takes, and its course.
    public struct Passage: Sendable, Equatable {
        public var duration: Int64 = 0
        public var ease = Ease.inOut
    }

    /// Where a subject goes: exactly, or by its middle with the size that belongs to its depth.
    public enum Target: Sendable, Equatable {
        case box(CGRect)
        case middle(CGPoint)
        case stay
    }
}

/// What must be true of one frame; nil fields are not looked at.
public struct Expectation: Sendable, Equatable {
    public enum Focus: Sendable, Equatable {
        /// A subject of the scenario by name.
        case subject(String)
        case none
        /// Any object of a kind, or near a place, or both.
        case object(kind: Detection.Kind?, near: TouchPoint?)
    }

    /// A value and how far from it still counts as true.
    public struct Near: Sendable, Equatable {
        public var value: Double
        public var tolerance: Double
        public func holds(_ other: Double) -> Bool { abs(other - value) <= tolerance }
    }

    public var focus: Focus?
    public var mode: FocusMode?
    public var fixed: Bool?
    public var racking: Bool?
    /// Something is in focus and no rack is on its way.
    public var settled: Bool?
    /// Metres to the plane in focus.
    public var distance: Near?
    public var aperture: Double?
    /// Whether the scene is reported as too dark.
    public var notEnoughLight: Bool?
    /// Disparity in focus, 1/m.
    public var disparity: Near?
    /// Who is reported, by name or by number.
    public var objects: Objects?
    /// How the app draws the boxes of subjects, in the order written.
    public var rects: [Rect] = []
    /// The reason of the last decision.
    public var why: FocusDecision.Why?
    public var recording: Recording?
    /// Frames that never arrived, since the start.
    public var droppedFrames: Int?
    /// Which camera films.
    public var camera: Camera?
    /// How far parts of the picture are blurred, in the order written; looked at in rendered runs only.
    public var blurs: [Blur] = []
    /// How long it may take to become true, in nanoseconds; 0 is now.
    public var within: Int64 = 0
    public var span = Span.moment

    /// Over which frames it is looked at; times in nanoseconds.
    public enum Span: Sendable, Equatable {
        case moment
        /// `hold`: true in every frame before this time.
        case hold(until: Int64)
        /// `never`: true in no frame of these.
        case never(since: Int64, until: Int64)
    }

    /// What the movie output does.
    public enum Recording: Sendable, Equatable {
        case on, off, paused
        /// Not recording; the last recording ended by this error.
        case failed(String)
    }

    /// The camera that films; `denied` when the app may use none.
    public enum Camera: String, Sendable, CaseIterable { case dualWide, trueDepth, denied }

    public enum Objects: Sendable, Equatable {
        case count(Int)
        /// Subjects of which at least one object is reported, sorted.
        case names([String])
    }

    public struct Rect: Sendable, Equatable {
        public enum Style: String, Sendable, CaseIterable { case none, white, dashed, solid }

        public var subject: String
        public var style: Style
    }
}

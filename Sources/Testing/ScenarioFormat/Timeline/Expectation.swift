import Foundation
import Pipeline

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
        /// Expected value, in the unit of what is checked.
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

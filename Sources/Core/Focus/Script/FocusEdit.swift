import Foundation
import Pipeline

/// Edit of a cinematic movie's focus or aperture. Edits are applied in order; each sees what those before it left.
public enum FocusEdit: Sendable, Equatable {
    /// Adds a decision, in place of one of the user's in the same frame.
    case focus(Focus, at: FootageSpan.Point)
    /// Removes the user's decision in a frame, also one of the recording.
    case remove(at: FootageSpan.Point)
    /// Moves the user's decision in a frame to another.
    case move(from: FootageSpan.Point, to: FootageSpan.Point)
    /// Changes the aperture from a frame on.
    case aperture(AperturePull, at: FootageSpan.Point)
    /// Removes the user's decisions, also those of the recording: the automatic ones remain.
    case automatic
    /// Brings back what was recorded.
    case reset

    /// Focus as a director orders it after the shoot: on what, and how it is held.
    public struct Focus: Sendable, Equatable {
        /// Target of the order.
        public var target: Target
        /// Manner in which focus is held; nil is `fixed` at a distance, else `strong`.
        public var mode: FocusOrder.Mode?
        /// Finding at a point of the picture, kept so that nobody needs to look for it again; nil of other targets, and before it was looked for.
        public var found: Found?

        /// Creates an order.
        public init(_ target: Target, mode: FocusOrder.Mode? = nil, found: Found? = nil) {
            (self.target, self.mode, self.found) = (target, mode, found)
        }
    }

    /// Target of a decision.
    public enum Target: Sendable, Equatable {
        /// A subject by its label (`maya`), its kind and number (`face 2`) or its number alone.
        case subject(String)
        /// Object or surface at a point, 0…1 of the unrotated picture, origin top left.
        case point(CGPoint)
        /// A distance in metres, > 0.
        case distance(Double)
    }

    /// Finding at a point of the picture.
    public enum Found: Sendable, Equatable {
        /// A detected object, by its ID.
        case object(Int)
        /// A surface, by its disparity.
        case surface(Double)
        /// A thing that was tracked from there on, by its boxes in order of time.
        case track([TrackedBox])
    }

    /// Box of a tracked thing in one frame.
    public struct TrackedBox: Sendable, Equatable {
        /// Number of the frame, from 0.
        public var frame: Int
        /// Bounding box, 0…1 of the unrotated picture, origin top left.
        public var bounds: CGRect
        /// Focus disparity; nil when it was not measured.
        public var disparity: Double?

        /// Creates a box.
        public init(frame: Int, bounds: CGRect, disparity: Double? = nil) { (self.frame, self.bounds, self.disparity) = (frame, bounds, disparity) }
    }

    /// Aperture pull: its reciprocal follows the curve, so that the blur grows evenly.
    public struct AperturePull: Sendable, Equatable {
        /// f-number at its end.
        public var fNumber: Double
        /// Length in nanoseconds; 0 is at once.
        public var over: Int64
        /// Curve.
        public var ease: Ease

        /// Creates a pull, by default at once.
        public init(to fNumber: Double, over: Int64 = 0, ease: Ease = .inOut) { (self.fNumber, self.over, self.ease) = (fNumber, over, ease) }
    }
}

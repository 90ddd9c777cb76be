import Foundation

/// Step of a touch.
public struct TouchStep: Sendable, Equatable {
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

extension TouchPoint {
    /// Point or subject in words.
    var summary: String {
        func pair(_ point: CGPoint) -> String { "[\(String(plain: point.x)), \(String(plain: point.y))]" }
        return switch self {
        case .view(let point): "view \(pair(point))"
        case .points(let point): "pt \(pair(point))"
        case .meta(let point): "meta \(pair(point))"
        case .pixels(let point): "px \(pair(point))"
        case .subject(let name, _): name
        }
    }
}

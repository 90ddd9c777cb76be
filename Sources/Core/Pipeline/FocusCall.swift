import Foundation

/// Request of an app for focus, not yet resolved against a frame; it takes effect in the next one.
public enum FocusCall: Sendable, Equatable, Codable {
    /// Follow the object with this number.
    case track(objectID: Int, mode: FocusMode)
    /// Follow the object found around a point, 0…1 of the unrotated picture, origin top left.
    case trackAt(point: CGPoint, mode: FocusMode)
    /// Hold the distance seen at a point.
    case fixAt(point: CGPoint, mode: FocusMode)
    /// Focus as a director orders.
    case order(FocusOrder)

    /// Point whose disparity the request may rest on, whatever is detected; nil where it needs none.
    package var measuredPoint: CGPoint? {
        switch self {
        case .fixAt(let point, _): point
        case .order(let order): if case .point(let point) = order.target { point } else { nil }
        case .track, .trackAt: nil
        }
    }
}

import Foundation
import Synchronization

/// Rectangle on a screen that does not exist: capture code needs a layer's geometry only.
open class CALayer: NSObject, @unchecked Sendable {
    private struct Geometry: Sendable {
        var bounds = CGRect.zero
        var position = CGPoint.zero
    }

    private let geometry = Mutex(Geometry())

    /// Makes an empty layer at the origin.
    public override init() {}

    /// Rectangle of the layer in its own coordinates, in points.
    open var bounds: CGRect {
        get { geometry.withLock { $0.bounds } }
        set { geometry.withLock { $0.bounds = newValue } }
    }

    /// Centre of the layer in its parent's coordinates, in points.
    open var position: CGPoint {
        get { geometry.withLock { $0.position } }
        set { geometry.withLock { $0.position = newValue } }
    }

    /// Rectangle of the layer in its parent's coordinates, in points.
    open var frame: CGRect {
        get {
            let geometry = geometry.withLock { $0 }
            let size = geometry.bounds.size
            return CGRect(
                x: geometry.position.x - size.width / 2, y: geometry.position.y - size.height / 2, width: size.width, height: size.height)
        }
        set {
            geometry.withLock {
                $0.bounds.size = newValue.size
                $0.position = CGPoint(x: newValue.midX, y: newValue.midY)
            }
        }
    }
}

import Foundation
import Synchronization

/// A rectangle on a screen that is not there: what capture code asks of a layer is its geometry.
open class CALayer: NSObject, @unchecked Sendable {
    private struct Geometry: Sendable {
        var bounds = CGRect.zero
        var position = CGPoint.zero
    }

    private let geometry = Mutex(Geometry())

    public override init() {}

    /// The layer in its own coordinates.
    open var bounds: CGRect {
        get { geometry.withLock { $0.bounds } }
        set { geometry.withLock { $0.bounds = newValue } }
    }

    /// The layer's centre in the coordinates of what it lies in.
    open var position: CGPoint {
        get { geometry.withLock { $0.position } }
        set { geometry.withLock { $0.position = newValue } }
    }

    /// The layer in the coordinates of what it lies in.
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

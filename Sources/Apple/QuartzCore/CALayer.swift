import CoreVideo
import Foundation
import Synchronization

/// Rectangle on a screen that does not exist: its geometry, and its place in a tree of layers.
open class CALayer: NSObject, @unchecked Sendable {
    struct State {
        var bounds = CGRect.zero
        var position = CGPoint.zero
        var anchorPoint = CGPoint(x: 0.5, y: 0.5)
        var zPosition: CGFloat = 0
        var space = CATransform3DIdentity
        var sublayers: [CALayer] = []
        weak var superlayer: CALayer?
        var look = Look()
    }

    /// Looks that nothing draws.
    struct Look {
        var name: String?
        var isHidden = false
        var isOpaque = false
        var opacity: Float = 1
        var cornerRadius: CGFloat = 0
        var borderWidth: CGFloat = 0
        var masksToBounds = false
        var backgroundColor: CGColor?
        var borderColor: CGColor?
        var contentsGravity = CALayerContentsGravity.resize
        var contentsScale: CGFloat = 1
    }

    let state = Mutex(State())

    /// Makes an empty layer at the origin.
    public override init() {}

    // MARK: geometry

    /// Rectangle of the layer in its own coordinates, in points.
    open var bounds: CGRect {
        get { state.withLock { $0.bounds } }
        set { state.withLock { $0.bounds = newValue } }
    }

    /// Place of the anchor point in the parent's coordinates, in points.
    open var position: CGPoint {
        get { state.withLock { $0.position } }
        set { state.withLock { $0.position = newValue } }
    }

    /// Point of the layer that lies at `position`, in 0…1 of the bounds; default the middle.
    open var anchorPoint: CGPoint {
        get { state.withLock { $0.anchorPoint } }
        set { state.withLock { $0.anchorPoint = newValue } }
    }

    /// Height above the parent; kept.
    open var zPosition: CGFloat {
        get { state.withLock { $0.zPosition } }
        set { state.withLock { $0.zPosition = newValue } }
    }

    /// Returns the transform about the anchor point; the identity at first.
    open func affineTransform() -> CGAffineTransform { state.withLock { $0.transform } }
    /// Sets the transform about the anchor point.
    open func setAffineTransform(_ m: CGAffineTransform) { state.withLock { $0.space = CATransform3DMakeAffineTransform(m) } }
    /// Transform of space about the anchor point; the identity at first. Places are mapped by what it does within the plane.
    open var transform: CATransform3D {
        get { state.withLock { $0.space } }
        set { state.withLock { $0.space = newValue } }
    }

    /// Rectangle about the layer in its parent's coordinates, in points; setting it leaves the transform as it is.
    open var frame: CGRect {
        get {
            let state = state.withLock { ($0.bounds, $0.transformToParent) }
            return state.0.applying(state.1)
        }
        set {
            state.withLock { state in
                // The size that the transform makes this large, as far as it neither turns nor shears.
                let scale = (abs(state.transform.a), abs(state.transform.d))
                state.bounds.size = CGSize(
                    width: scale.0 > 0 ? newValue.width / scale.0 : newValue.width, height: scale.1 > 0 ? newValue.height / scale.1 : newValue.height)
                state.position = CGPoint(
                    x: newValue.minX + state.anchorPoint.x * newValue.width, y: newValue.minY + state.anchorPoint.y * newValue.height)
            }
        }
    }

    /// Whether the point, in the layer's coordinates, lies within its bounds.
    open func contains(_ p: CGPoint) -> Bool { bounds.contains(p) }

    // MARK: looks

    /// Name for the app's own use.
    open var name: String? {
        get { state.withLock { $0.look.name } }
        set { state.withLock { $0.look.name = newValue } }
    }

    /// Whether the layer and those in it are out of sight; default false.
    open var isHidden: Bool {
        get { state.withLock { $0.look.isHidden } }
        set { state.withLock { $0.look.isHidden = newValue } }
    }

    /// Whether the layer says that nothing shows through it; default false, kept.
    open var isOpaque: Bool {
        get { state.withLock { $0.look.isOpaque } }
        set { state.withLock { $0.look.isOpaque = newValue } }
    }

    /// Opacity, 0…1; default 1.
    open var opacity: Float {
        get { state.withLock { $0.look.opacity } }
        set { state.withLock { $0.look.opacity = newValue } }
    }

    /// Radius of the corners in points; kept.
    open var cornerRadius: CGFloat {
        get { state.withLock { $0.look.cornerRadius } }
        set { state.withLock { $0.look.cornerRadius = newValue } }
    }

    /// Width of the border in points; kept.
    open var borderWidth: CGFloat {
        get { state.withLock { $0.look.borderWidth } }
        set { state.withLock { $0.look.borderWidth = newValue } }
    }

    /// Colour of the border; kept.
    open var borderColor: CGColor? {
        get { state.withLock { $0.look.borderColor } }
        set { state.withLock { $0.look.borderColor = newValue } }
    }

    /// Colour of the ground; kept.
    open var backgroundColor: CGColor? {
        get { state.withLock { $0.look.backgroundColor } }
        set { state.withLock { $0.look.backgroundColor = newValue } }
    }

    /// Whether layers within are cut at the bounds; kept.
    open var masksToBounds: Bool {
        get { state.withLock { $0.look.masksToBounds } }
        set { state.withLock { $0.look.masksToBounds = newValue } }
    }

    /// Fit of a picture into the bounds; kept.
    open var contentsGravity: CALayerContentsGravity {
        get { state.withLock { $0.look.contentsGravity } }
        set { state.withLock { $0.look.contentsGravity = newValue } }
    }

    /// Pixels of a point; default 1.
    open var contentsScale: CGFloat {
        get { state.withLock { $0.look.contentsScale } }
        set { state.withLock { $0.look.contentsScale = newValue } }
    }

    /// Does nothing: there is no screen.
    open func setNeedsDisplay() {}
    /// Lays the layers within out at the next `layoutIfNeeded()`; here at once.
    open func setNeedsLayout() { layoutSublayers() }
    /// Does nothing: layouts are never left open.
    open func layoutIfNeeded() {}
    /// Lays the layers within out; for an app's own layers to override.
    open func layoutSublayers() {}
}

extension CALayer.State {
    /// Part of the transform within the plane.
    var transform: CGAffineTransform { CATransform3DGetAffineTransform(space) }

    /// Map from the layer's coordinates to its parent's.
    var transformToParent: CGAffineTransform {
        let anchor = CGPoint(x: bounds.minX + anchorPoint.x * bounds.width, y: bounds.minY + anchorPoint.y * bounds.height)
        return CGAffineTransform(translationX: -anchor.x, y: -anchor.y).concatenating(transform)
            .concatenating(CGAffineTransform(translationX: position.x, y: position.y))
    }
}

/// Fit of a layer's picture into its bounds.
public struct CALayerContentsGravity: RawRepresentable, Hashable, Sendable {
    /// Name as Apple spells it.
    public let rawValue: String
    /// Makes a fit from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// In the middle, unscaled.
    public static let center = CALayerContentsGravity(rawValue: "center")
    /// Filled, without keeping the shape.
    public static let resize = CALayerContentsGravity(rawValue: "resize")
    /// As large as the bounds allow, in its shape.
    public static let resizeAspect = CALayerContentsGravity(rawValue: "resizeAspect")
    /// As small as fills the bounds, in its shape.
    public static let resizeAspectFill = CALayerContentsGravity(rawValue: "resizeAspectFill")
}

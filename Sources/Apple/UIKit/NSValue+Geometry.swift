import CoreVideo
import Foundation

/// Geometry as an object, as of notifications and of arrays of Foundation's.
extension NSValue {
    /// Wraps a point.
    public convenience init(cgPoint point: CGPoint) { self.init(point: point) }
    /// Wraps a size.
    public convenience init(cgSize size: CGSize) { self.init(size: size) }
    /// Wraps a rectangle.
    public convenience init(cgRect rect: CGRect) { self.init(rect: rect) }
    /// The point that is wrapped.
    public var cgPointValue: CGPoint { pointValue }
    /// The size that is wrapped.
    public var cgSizeValue: CGSize { sizeValue }
    /// The rectangle that is wrapped.
    public var cgRectValue: CGRect { rectValue }
}

import Foundation

/// Direction and length in the plane.
public struct CGVector: Sendable, Hashable, Codable {
    /// Part along x.
    public var dx: CGFloat
    /// Part along y.
    public var dy: CGFloat
    /// The vector without length.
    public static let zero = CGVector()
    /// Makes the vector without length.
    public init() { (dx, dy) = (0, 0) }
    /// Makes a vector.
    public init(dx: CGFloat, dy: CGFloat) { (self.dx, self.dy) = (dx, dy) }
    /// Makes a vector.
    public init(dx: Double, dy: Double) { self.init(dx: CGFloat(dx), dy: CGFloat(dy)) }
    /// Makes a vector.
    public init(dx: Int, dy: Int) { self.init(dx: CGFloat(dx), dy: CGFloat(dy)) }
}

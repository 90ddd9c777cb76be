import CoreVideo
import Foundation
import Synchronization

/// Rule of what lies inside of a path.
public struct CAShapeLayerFillRule: RawRepresentable, Sendable, Hashable {
    /// Apple's string of the rule.
    public let rawValue: String
    /// Makes a rule from its string.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Inside is what the path winds around.
    public static let nonZero = CAShapeLayerFillRule(rawValue: "non-zero")
    /// Inside is what an odd number of lines encloses.
    public static let evenOdd = CAShapeLayerFillRule(rawValue: "even-odd")
}

/// End of a line.
public struct CAShapeLayerLineCap: RawRepresentable, Sendable, Hashable {
    /// Apple's string of the end.
    public let rawValue: String
    /// Makes an end from its string.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// At the last point.
    public static let butt = CAShapeLayerLineCap(rawValue: "butt")
    /// Half a circle beyond it.
    public static let round = CAShapeLayerLineCap(rawValue: "round")
    /// Half a square beyond it.
    public static let square = CAShapeLayerLineCap(rawValue: "square")
}

/// Corner of a line.
public struct CAShapeLayerLineJoin: RawRepresentable, Sendable, Hashable {
    /// Apple's string of the corner.
    public let rawValue: String
    /// Makes a corner from its string.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Pointed.
    public static let miter = CAShapeLayerLineJoin(rawValue: "miter")
    /// Round.
    public static let round = CAShapeLayerLineJoin(rawValue: "round")
    /// Cut off.
    public static let bevel = CAShapeLayerLineJoin(rawValue: "bevel")
}

/// Layer of a path, as the boxes and marks over a preview; its values are kept, and nothing is drawn.
open class CAShapeLayer: CALayer, @unchecked Sendable {
    private struct Shape {
        var path: CGPath?
        var fillColor: CGColor? = CGColor(red: 0, green: 0, blue: 0, alpha: 1)
        var strokeColor: CGColor?
        var lineWidth: CGFloat = 1
        var lineDashPattern: [NSNumber]?
        var strokeStart: CGFloat = 0
        var strokeEnd: CGFloat = 1
        var fillRule = CAShapeLayerFillRule.nonZero
        var lineCap = CAShapeLayerLineCap.butt
        var lineJoin = CAShapeLayerLineJoin.miter
    }

    private let shape = Mutex(Shape())

    /// Path in the layer's coordinates; nil for none.
    open var path: CGPath? {
        get { shape.withLock { $0.path } }
        set { shape.withLock { $0.path = newValue } }
    }
    /// Colour within the path, at first black; nil for none.
    open var fillColor: CGColor? {
        get { shape.withLock { $0.fillColor } }
        set { shape.withLock { $0.fillColor = newValue } }
    }
    /// Colour of the line; nil, the default, for none.
    open var strokeColor: CGColor? {
        get { shape.withLock { $0.strokeColor } }
        set { shape.withLock { $0.strokeColor = newValue } }
    }
    /// Width of the line in points; default 1.
    open var lineWidth: CGFloat {
        get { shape.withLock { $0.lineWidth } }
        set { shape.withLock { $0.lineWidth = newValue } }
    }
    /// Lengths of dashes and gaps in points; nil for a whole line.
    open var lineDashPattern: [NSNumber]? {
        get { shape.withLock { $0.lineDashPattern } }
        set { shape.withLock { $0.lineDashPattern = newValue } }
    }
    /// Share of the path at which the line begins, 0…1; default 0.
    open var strokeStart: CGFloat {
        get { shape.withLock { $0.strokeStart } }
        set { shape.withLock { $0.strokeStart = newValue } }
    }
    /// Share of the path at which the line ends, 0…1; default 1.
    open var strokeEnd: CGFloat {
        get { shape.withLock { $0.strokeEnd } }
        set { shape.withLock { $0.strokeEnd = newValue } }
    }
    /// Rule of what lies inside; default `.nonZero`.
    open var fillRule: CAShapeLayerFillRule {
        get { shape.withLock { $0.fillRule } }
        set { shape.withLock { $0.fillRule = newValue } }
    }
    /// Ends of the line; default `.butt`.
    open var lineCap: CAShapeLayerLineCap {
        get { shape.withLock { $0.lineCap } }
        set { shape.withLock { $0.lineCap = newValue } }
    }
    /// Corners of the line; default `.miter`.
    open var lineJoin: CAShapeLayerLineJoin {
        get { shape.withLock { $0.lineJoin } }
        set { shape.withLock { $0.lineJoin = newValue } }
    }
}

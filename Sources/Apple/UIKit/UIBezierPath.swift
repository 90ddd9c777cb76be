import CoreVideo

/// Outline of lines and Bézier curves that is drawn into the current context.
open class UIBezierPath: NSObject {
    private var path = CGMutablePath()

    /// Makes an empty outline.
    public override init() {}
    /// Makes an outline of one of Core Graphics'.
    public convenience init(cgPath: CGPath) {
        self.init()
        self.cgPath = cgPath
    }
    /// Makes the outline of a rectangle.
    public convenience init(rect: CGRect) { self.init(cgPath: CGPath(rect: rect, transform: nil)) }
    /// Makes the outline of the ellipse that touches the sides of a rectangle.
    public convenience init(ovalIn rect: CGRect) { self.init(cgPath: CGPath(ellipseIn: rect, transform: nil)) }
    /// Makes the outline of a rectangle whose corners are parts of a circle, no larger than fits.
    public convenience init(roundedRect rect: CGRect, cornerRadius: CGFloat) {
        self.init()
        let radius = min(max(0, cornerRadius), rect.width / 2, rect.height / 2)
        path.addRoundedRect(in: rect, cornerWidth: radius, cornerHeight: radius)
    }
    /// Makes a part of a circle, between angles in radians; clockwise as seen on a screen.
    public convenience init(arcCenter center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool) {
        self.init()
        addArc(withCenter: center, radius: radius, startAngle: startAngle, endAngle: endAngle, clockwise: clockwise)
    }

    /// The outline as Core Graphics has it; a copy.
    open var cgPath: CGPath {
        get { path.copy() ?? CGMutablePath() }
        set { path = newValue.mutableCopy() ?? CGMutablePath() }
    }
    /// Rectangle about the outline, control points included.
    open var bounds: CGRect { path.boundingBox }
    /// Whether there is no element.
    open var isEmpty: Bool { path.isEmpty }
    /// Point at the end of the outline.
    open var currentPoint: CGPoint { path.currentPoint }
    /// Whether the inside is told by odd crossings rather than by the winding number.
    open var usesEvenOddFillRule = false

    /// Begins a subpath.
    open func move(to point: CGPoint) { path.move(to: point) }
    /// Adds a straight line.
    open func addLine(to point: CGPoint) { path.addLine(to: point) }
    /// Adds a cubic curve.
    open func addCurve(to endPoint: CGPoint, controlPoint1: CGPoint, controlPoint2: CGPoint) {
        path.addCurve(to: endPoint, control1: controlPoint1, control2: controlPoint2)
    }
    /// Adds a quadratic curve.
    open func addQuadCurve(to endPoint: CGPoint, controlPoint: CGPoint) { path.addQuadCurve(to: endPoint, control: controlPoint) }
    /// Adds a part of a circle, between angles in radians; clockwise as seen on a screen.
    open func addArc(withCenter center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool) {
        // A screen's y goes down, where Core Graphics' goes up.
        path.addArc(center: center, radius: radius, startAngle: startAngle, endAngle: endAngle, clockwise: !clockwise)
    }
    /// Adds a straight line back to the start of the subpath.
    open func close() { path.closeSubpath() }
    /// Adds another outline.
    open func append(_ bezierPath: UIBezierPath) { path.addPath(bezierPath.path) }
    /// Removes all elements.
    open func removeAllPoints() { path = CGMutablePath() }
    /// Moves every point.
    open func apply(_ transform: CGAffineTransform) {
        var transform = transform
        path = path.mutableCopy(using: &transform) ?? CGMutablePath()
    }
    /// Whether a point is inside.
    open func contains(_ point: CGPoint) -> Bool { path.contains(point, using: usesEvenOddFillRule ? .evenOdd : .winding) }

    /// Fills the inside in the current context's colour.
    open func fill() {
        guard let context = UIGraphicsGetCurrentContext() else { return }
        context.addPath(path)
        context.fillPath(using: usesEvenOddFillRule ? .evenOdd : .winding)
    }
    /// Width of lines in points; default 1.
    open var lineWidth: CGFloat = 1
    /// Shape of the ends of lines; default butt.
    open var lineCapStyle = CGLineCap.butt
    /// Shape of the corners of lines; default mitred.
    open var lineJoinStyle = CGLineJoin.miter
    /// Farthest that sides go beyond a corner, in half widths of the line; default 10.
    open var miterLimit: CGFloat = 10

    /// Draws a line along the path in the current context's colour of lines.
    open func stroke() {
        guard let context = UIGraphicsGetCurrentContext() else { return }
        context.saveGState()
        context.setLineWidth(lineWidth)
        context.setLineCap(lineCapStyle)
        context.setLineJoin(lineJoinStyle)
        context.setMiterLimit(miterLimit)
        context.addPath(path)
        context.strokePath()
        context.restoreGState()
    }
    /// Restricts drawing in the current context to the inside.
    open func addClip() {
        guard let context = UIGraphicsGetCurrentContext() else { return }
        context.addPath(path)
        context.clip(using: usesEvenOddFillRule ? .evenOdd : .winding)
    }
}

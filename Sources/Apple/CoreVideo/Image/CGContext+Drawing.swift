import Foundation

/// Care taken with enlarged and reduced pictures.
public enum CGInterpolationQuality: Int32, Sendable {
    /// As the context likes: as `high` here.
    case `default` = 0
    /// The nearest pixel.
    case none = 1
    /// As `high` here.
    case low = 2
    /// The mean of the four nearest pixels, by distance; where a picture is reduced, of all pixels beneath.
    case high = 3
    /// As `high` here.
    case medium = 4
}

extension CGContext {
    /// State of drawing that `saveGState()` puts aside.
    struct Drawing {
        /// From the user's coordinates to pixels from the lower left corner.
        var transform = CGAffineTransform.identity
        /// Red, green and blue, and alpha, 0…1.
        var fill: [CGFloat] = [0, 0, 0, 1]
        var stroke: [CGFloat] = [0, 0, 0, 1]
        var pen = CGPath.Pen()
        var alpha: CGFloat = 1
        var mode = CGBlendMode.normal
        var quality = CGInterpolationQuality.default
        /// Areas that must all hold a pixel that is drawn.
        var clips: [(path: CGPath, rule: CGPathFillRule)] = []
    }

    // MARK: state

    /// Puts transform, colour, alpha, mode, quality and clip aside.
    public func saveGState() { saved.append(drawing) }
    /// Takes up what the last `saveGState()` put aside; nothing without one.
    public func restoreGState() { drawing = saved.popLast() ?? drawing }

    /// Map from the user's coordinates to pixels from the lower left corner; the identity at first.
    public var ctm: CGAffineTransform { drawing.transform }
    /// Applies a transform ahead of the map.
    public func concatenate(_ transform: CGAffineTransform) { drawing.transform = transform.concatenating(drawing.transform) }
    /// Moves the user's origin.
    public func translateBy(x tx: CGFloat, y ty: CGFloat) { concatenate(CGAffineTransform(translationX: tx, y: ty)) }
    /// Scales the user's coordinates.
    public func scaleBy(x sx: CGFloat, y sy: CGFloat) { concatenate(CGAffineTransform(scaleX: sx, y: sy)) }
    /// Turns the user's coordinates by an angle in radians, from the x axis towards the y axis.
    public func rotate(by angle: CGFloat) { concatenate(CGAffineTransform(rotationAngle: angle)) }

    /// Sets the colour that fills; a grey gives all three components.
    public func setFillColor(_ color: CGColor) {
        drawing.fill = color.rgba ?? drawing.fill
    }
    /// Sets the colour that fills from components in 0…1.
    public func setFillColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) { drawing.fill = [red, green, blue, alpha] }
    /// Sets the grey that fills, 0…1.
    public func setFillColor(gray: CGFloat, alpha: CGFloat) { drawing.fill = [gray, gray, gray, alpha] }
    /// Sets the opacity of all that is drawn, 0…1; 1 at first.
    public func setAlpha(_ alpha: CGFloat) { drawing.alpha = alpha }
    /// Sets the way of laying colours over those that are there; normal at first.
    public func setBlendMode(_ mode: CGBlendMode) { drawing.mode = mode }
    /// Care taken with enlarged and reduced pictures.
    public var interpolationQuality: CGInterpolationQuality {
        get { drawing.quality }
        set { drawing.quality = newValue }
    }

    // MARK: the path under way

    /// Throws the path away and begins an empty one.
    public func beginPath() { outline = CGMutablePath() }
    /// Begins a subpath.
    public func move(to point: CGPoint) { outline.move(to: point, transform: drawing.transform) }
    /// Adds a straight line.
    public func addLine(to point: CGPoint) { outline.addLine(to: point, transform: drawing.transform) }
    /// Adds a subpath of lines.
    public func addLines(between points: [CGPoint]) { outline.addLines(between: points, transform: drawing.transform) }
    /// Adds a rectangle.
    public func addRect(_ rect: CGRect) { outline.addRect(rect, transform: drawing.transform) }
    /// Adds the ellipse that touches the sides of a rectangle.
    public func addEllipse(in rect: CGRect) { outline.addEllipse(in: rect, transform: drawing.transform) }
    /// Adds the elements of a path.
    public func addPath(_ path: CGPath) { outline.addPath(path, transform: drawing.transform) }
    /// Closes the subpath.
    public func closePath() { outline.closeSubpath() }
    /// Path under way, in the user's coordinates; nil for an empty one.
    public var path: CGPath? {
        var inverse = drawing.transform.inverted()
        return outline.isEmpty ? nil : outline.copy(using: &inverse)
    }

    /// Fills the path under way, and throws it away.
    public func fillPath(using rule: CGPathFillRule = .winding) {
        paint(outline, rule, drawing.fill, drawing.mode)
        beginPath()
    }

    /// Draws from now on within the path under way alone, and throws it away.
    public func clip(using rule: CGPathFillRule = .winding) {
        drawing.clips.append((outline, rule))
        beginPath()
    }

    /// Draws from now on within the rectangle alone.
    public func clip(to rect: CGRect) { drawing.clips.append((pixels(rect), .winding)) }
    /// Fills a rectangle.
    public func fill(_ rect: CGRect) { paint(pixels(rect), .winding, drawing.fill, drawing.mode) }
    /// Fills rectangles.
    public func fill(_ rects: [CGRect]) { for rect in rects { fill(rect) } }
    /// Fills the ellipse that touches the sides of a rectangle.
    public func fillEllipse(in rect: CGRect) {
        let path = CGMutablePath()
        path.addEllipse(in: rect, transform: drawing.transform)
        paint(path, .winding, drawing.fill, drawing.mode)
    }
    /// Makes a rectangle transparent, or black where the bitmap has no alpha.
    public func clear(_ rect: CGRect) { paint(pixels(rect), .winding, [0, 0, 0, 0], .clear) }

    private func pixels(_ rect: CGRect) -> CGPath {
        withUnsafePointer(to: drawing.transform) { CGPath(rect: rect, transform: $0) }
    }

    func paint(_ path: CGPath, _ rule: CGPathFillRule, _ color: [CGFloat], _ mode: CGBlendMode) {
        let color = SIMD4(Float(color[0]), Float(color[1]), Float(color[2]), Float(color[3]))
        let limited = color.clamped(lowerBound: SIMD4(), upperBound: SIMD4(repeating: 1))
        paint(path, rule, mode) { _, _ in limited }
    }
}

import Foundation

/// Shape of the ends of a line.
public enum CGLineCap: Int32, Sendable {
    /// Straight, at the end.
    case butt = 0
    /// Half a circle about the end.
    case round = 1
    /// Straight, half a width beyond the end.
    case square = 2
}

/// Shape of the corners of a line.
public enum CGLineJoin: Int32, Sendable {
    /// Sides go on until they meet, or as `bevel` where that is far.
    case miter = 0
    /// Circle about the corner.
    case round = 1
    /// Straight across the corner.
    case bevel = 2
}

/// Parts of a path that are drawn.
public enum CGPathDrawingMode: Int32, Sendable {
    /// Inside by its winding.
    case fill = 0
    /// Inside by the number of outlines about it.
    case eoFill = 1
    /// The line.
    case stroke = 2
    /// Inside by its winding, and the line.
    case fillStroke = 3
    /// Inside by the number of outlines about it, and the line.
    case eoFillStroke = 4
}

extension CGPath {
    /// Line that is drawn along a path.
    struct Pen {
        var width: CGFloat = 1
        var cap = CGLineCap.butt
        var join = CGLineJoin.miter
        var miterLimit: CGFloat = 10
    }

    /// Returns the outline of a line along the path, which is filled by its winding: of pieces that overlap, curves of 32 lines.
    public func copy(
        strokingWithWidth lineWidth: CGFloat, lineCap: CGLineCap, lineJoin: CGLineJoin, miterLimit: CGFloat, transform: CGAffineTransform = .identity
    ) -> CGPath {
        let stroke = Stroke(Pen(width: lineWidth, cap: lineCap, join: lineJoin, miterLimit: miterLimit))
        for line in lines(.identity) { stroke.add(line.points, isClosed: line.isClosed, transform) }
        return stroke.path
    }
}

/// Outline of a line in the making; all pieces are wound the same way.
private final class Stroke {
    let path = CGMutablePath()
    private let pen: CGPath.Pen
    private var transform = CGAffineTransform.identity

    init(_ pen: CGPath.Pen) { self.pen = pen }

    func add(_ points: [CGPoint], isClosed: Bool, _ transform: CGAffineTransform) {
        self.transform = transform
        var places: [CGPoint] = []
        for point in points where point != places.last { places.append(point) }
        if isClosed, places.count > 1, places.first == places.last { places.removeLast() }
        guard places.count > 1 else {
            if pen.cap == .round, let place = places.first { circle(place) }
            return
        }
        let ends = isClosed ? Array(places.dropFirst()) + places.prefix(1) : Array(places.dropFirst())
        var directions = zip(places, ends).map { from, to in
            let length = ((to.x - from.x) * (to.x - from.x) + (to.y - from.y) * (to.y - from.y)).squareRoot()
            return CGPoint(x: (to.x - from.x) / length, y: (to.y - from.y) / length)
        }
        let half = pen.width / 2
        for (index, (from, to)) in zip(places, ends).enumerated() {
            let along = directions[index]
            let (before, after) = (isClosed || pen.cap != .square) ? (0, 0) : (index == 0 ? half : 0, index == ends.count - 1 ? half : 0)
            let (start, end) = (from.moved(along, -before), to.moved(along, after))
            polygon([start.beside(along, half), end.beside(along, half), end.beside(along, -half), start.beside(along, -half)])
        }
        if isClosed {
            directions.insert(directions[directions.count - 1], at: 0)
        } else {
            if pen.cap == .round { for end in [places[0], places[places.count - 1]] { circle(end) } }
            places.removeFirst()
        }
        for (index, (from, to)) in zip(directions, directions.dropFirst()).enumerated() { join(places[index], from, to) }
    }

    private func join(_ corner: CGPoint, _ from: CGPoint, _ to: CGPoint) {
        let (turn, cosine) = (from.x * to.y - from.y * to.x, from.x * to.x + from.y * to.y)
        guard turn != 0 || cosine < 0 else { return }
        if pen.join == .round { return circle(corner) }
        // The gap is on the side away from the turn.
        let side = turn > 0 ? -pen.width / 2 : pen.width / 2
        var points = [corner, corner.beside(from, side), corner.beside(to, side)]
        if pen.join == .miter, cosine > -1, (2 / (1 + cosine)).squareRoot() <= pen.miterLimit {
            let scale = side / (1 + cosine)
            points.insert(CGPoint(x: corner.x - (from.y + to.y) * scale, y: corner.y + (from.x + to.x) * scale), at: 2)
        }
        polygon(side > 0 ? points : points.reversed())
    }

    private func polygon(_ points: [CGPoint]) {
        path.addLines(between: points, transform: transform)
        path.closeSubpath()
    }

    private func circle(_ middle: CGPoint) {
        path.move(to: CGPoint(x: middle.x + pen.width / 2, y: middle.y), transform: transform)
        path.addArc(center: middle, radius: pen.width / 2, startAngle: 0, endAngle: -2 * .pi, clockwise: true, transform: transform)
        path.closeSubpath()
    }
}

extension CGPoint {
    fileprivate func moved(_ along: CGPoint, _ length: CGFloat) -> CGPoint { CGPoint(x: x + along.x * length, y: y + along.y * length) }
    /// Place to the left of a direction.
    fileprivate func beside(_ along: CGPoint, _ length: CGFloat) -> CGPoint { CGPoint(x: x - along.y * length, y: y + along.x * length) }
}

extension CGContext {
    /// Sets the colour of lines; a grey gives all three components.
    public func setStrokeColor(_ color: CGColor) { drawing.stroke = color.rgba ?? drawing.stroke }
    /// Sets the colour of lines from components in 0…1.
    public func setStrokeColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) { drawing.stroke = [red, green, blue, alpha] }
    /// Sets the grey of lines, 0…1.
    public func setStrokeColor(gray: CGFloat, alpha: CGFloat) { drawing.stroke = [gray, gray, gray, alpha] }
    /// Sets the width of lines in the user's coordinates; 1 at first.
    public func setLineWidth(_ width: CGFloat) { drawing.pen.width = width }
    /// Sets the shape of the ends of lines; butt at first.
    public func setLineCap(_ cap: CGLineCap) { drawing.pen.cap = cap }
    /// Sets the shape of the corners of lines; mitred at first.
    public func setLineJoin(_ join: CGLineJoin) { drawing.pen.join = join }
    /// Sets how far sides may go beyond a corner, in half widths of the line; 10 at first.
    public func setMiterLimit(_ limit: CGFloat) { drawing.pen.miterLimit = limit }

    /// Draws a line along the path under way, and throws it away.
    public func strokePath() {
        let pen = drawing.pen
        // The path is in pixels already: the line is drawn in the user's coordinates, and comes to pixels with its width.
        var inverse = drawing.transform.inverted()
        let stroke = outline.copy(using: &inverse)?.copy(
            strokingWithWidth: pen.width, lineCap: pen.cap, lineJoin: pen.join, miterLimit: pen.miterLimit, transform: drawing.transform)
        if let stroke { paint(stroke, .winding, drawing.stroke, drawing.mode) }
        beginPath()
    }

    /// Draws the path under way, and throws it away.
    public func drawPath(using mode: CGPathDrawingMode) {
        let path = outline
        switch mode {
        case .stroke: break
        case .fill, .fillStroke: fillPath()
        case .eoFill, .eoFillStroke: fillPath(using: .evenOdd)
        }
        guard mode != .fill, mode != .eoFill else { return }
        outline = path
        strokePath()
    }

    /// Draws the outline of a rectangle.
    public func stroke(_ rect: CGRect) {
        beginPath()
        addRect(rect)
        strokePath()
    }
    /// Draws the outline of a rectangle in a width.
    public func stroke(_ rect: CGRect, width: CGFloat) {
        saveGState()
        setLineWidth(width)
        stroke(rect)
        restoreGState()
    }
    /// Draws the ellipse that touches the sides of a rectangle.
    public func strokeEllipse(in rect: CGRect) {
        beginPath()
        addEllipse(in: rect)
        strokePath()
    }
    /// Draws lines from every other point to the next.
    public func strokeLineSegments(between points: [CGPoint]) {
        beginPath()
        for (index, point) in points.enumerated() { if index % 2 == 0 { move(to: point) } else { addLine(to: point) } }
        strokePath()
    }

    /// Adds a part of a circle, with a line to its start; angles in radians from the x axis towards the y axis, or backwards where it is clockwise.
    public func addArc(center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool) {
        outline.addArc(
            center: center, radius: radius, startAngle: startAngle, endAngle: endAngle, clockwise: clockwise, transform: drawing.transform)
    }
    /// Adds a cubic curve.
    public func addCurve(to end: CGPoint, control1: CGPoint, control2: CGPoint) {
        outline.addCurve(to: end, control1: control1, control2: control2, transform: drawing.transform)
    }
    /// Adds a quadratic curve.
    public func addQuadCurve(to end: CGPoint, control: CGPoint) { outline.addQuadCurve(to: end, control: control, transform: drawing.transform) }
    /// Adds rectangles.
    public func addRects(_ rects: [CGRect]) { outline.addRects(rects, transform: drawing.transform) }
}

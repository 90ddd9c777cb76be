import Foundation

/// Kind of a path's element.
public enum CGPathElementType: Int32, Sendable {
    /// Start of a subpath; one point.
    case moveToPoint = 0
    /// Straight line; its end.
    case addLineToPoint = 1
    /// Quadratic Bézier curve; its control point and its end.
    case addQuadCurveToPoint = 2
    /// Cubic Bézier curve; its two control points and its end.
    case addCurveToPoint = 3
    /// Straight line back to the start of the subpath; no point.
    case closeSubpath = 4
}

/// Element of a path, as `applyWithBlock(_:)` shows it.
public struct CGPathElement {
    /// Kind of the element.
    public var type: CGPathElementType
    /// Its points, as many as the kind says; valid within the block alone.
    public var points: UnsafeMutablePointer<CGPoint>
}

/// Rule that says what is inside a path.
public enum CGPathFillRule: Int, Sendable {
    /// Winding number that is not 0: the path goes round more often one way than the other.
    case winding = 0
    /// Odd number of crossings of the path by a ray to the outside.
    case evenOdd = 1
}

/// Outline of lines and Bézier curves, in subpaths. It cannot change; `CGMutablePath` can.
public class CGPath: Hashable, @unchecked Sendable {
    struct Element: Hashable {
        var type: CGPathElementType
        var points: [CGPoint]

        func applying(_ transform: CGAffineTransform) -> Element { Element(type: type, points: points.map { $0.applying(transform) }) }
    }

    fileprivate(set) var elements: [Element] = []
    /// Point where the subpath under way began; nil in an empty path.
    fileprivate var start: CGPoint?

    fileprivate init() {}

    fileprivate init(_ elements: [Element], start: CGPoint?) {
        self.elements = elements
        self.start = start
    }

    /// Makes the outline of a rectangle, from its origin along its width.
    public convenience init(rect: CGRect, transform: UnsafePointer<CGAffineTransform>?) {
        self.init { $0.addRect(rect, transform: transform?.pointee ?? .identity) }
    }

    /// Makes the outline of the ellipse that touches the sides of a rectangle, of four cubic curves.
    public convenience init(ellipseIn rect: CGRect, transform: UnsafePointer<CGAffineTransform>?) {
        self.init { $0.addEllipse(in: rect, transform: transform?.pointee ?? .identity) }
    }

    /// Makes the outline of a rectangle whose corners are quarters of ellipses of these radii.
    public convenience init(roundedRect rect: CGRect, cornerWidth: CGFloat, cornerHeight: CGFloat, transform: UnsafePointer<CGAffineTransform>?) {
        self.init { $0.addRoundedRect(in: rect, cornerWidth: cornerWidth, cornerHeight: cornerHeight, transform: transform?.pointee ?? .identity) }
    }

    private convenience init(_ draw: (CGMutablePath) -> Void) {
        let path = CGMutablePath()
        draw(path)
        self.init(path.elements, start: path.start)
    }

    /// Whether there is no element.
    public var isEmpty: Bool { elements.isEmpty }
    /// End of the last element; the origin in an empty path.
    public var currentPoint: CGPoint { elements.last.map { $0.points.last ?? start ?? .zero } ?? .zero }
    /// Smallest rectangle about all points, control points of curves included; `.null` for an empty path.
    public var boundingBox: CGRect { CGRect(around: elements.flatMap(\.points)) }
    /// Smallest rectangle about the outline itself; `.null` for an empty path.
    public var boundingBoxOfPath: CGRect { CGRect(around: extremes) }

    /// Whether the point lies within the path, whose open subpaths count as closed. The transform moves the path, or the point where it has none.
    public func contains(_ point: CGPoint, using rule: CGPathFillRule = .winding, transform: CGAffineTransform = .identity) -> Bool {
        var winding = 0
        for outline in polygons(transform) {
            for (from, to) in zip(outline, outline.dropFirst() + outline.prefix(1)) where (from.y <= point.y) != (to.y <= point.y) {
                let x = from.x + (point.y - from.y) / (to.y - from.y) * (to.x - from.x)
                if x > point.x { winding += to.y > from.y ? 1 : -1 }
            }
        }
        return rule == .winding ? winding != 0 : winding % 2 != 0
    }

    /// Calls the block with each element, in order.
    public func applyWithBlock(_ block: (UnsafePointer<CGPathElement>) -> Void) {
        for element in elements {
            // A pointer that is never nil, as on Apple's systems; nobody reads it where the kind has no point.
            var points = element.points.isEmpty ? [.zero] : element.points
            points.withUnsafeMutableBufferPointer { points in
                withUnsafePointer(to: CGPathElement(type: element.type, points: points.baseAddress!), block)
            }
        }
    }

    /// Returns the path itself, or its elements as they are now where it can change.
    public func copy() -> CGPath? { CGPath(elements, start: start) }
    /// Returns the path moved by a transform.
    public func copy(using transform: UnsafePointer<CGAffineTransform>?) -> CGPath? {
        let transform = transform?.pointee ?? .identity
        return CGPath(elements.map { $0.applying(transform) }, start: start?.applying(transform))
    }
    /// Returns a path that can change, with the elements as they are now.
    public func mutableCopy() -> CGMutablePath? { mutableCopy(using: nil) }
    /// Returns a path that can change, moved by a transform.
    public func mutableCopy(using transform: UnsafePointer<CGAffineTransform>?) -> CGMutablePath? {
        let path = CGMutablePath()
        path.addPath(self, transform: transform?.pointee ?? .identity)
        return path
    }

    /// Whether both have the same elements.
    public static func == (lhs: CGPath, rhs: CGPath) -> Bool { lhs.elements == rhs.elements }
    /// Hashes the elements.
    public func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}

/// Path to which elements are added.
///
/// As on Apple's systems access is not synchronized.
public final class CGMutablePath: CGPath, @unchecked Sendable {
    /// Makes an empty path.
    public override init() { super.init() }

    private func add(_ type: CGPathElementType, _ points: [CGPoint], _ transform: CGAffineTransform) {
        let points = points.map { $0.applying(transform) }
        if type == .moveToPoint {
            start = points[0]
        } else if type != .closeSubpath, let start, elements.last?.type == .closeSubpath {
            // After a closed subpath the next begins at its start.
            elements.append(Element(type: .moveToPoint, points: [start]))
        }
        guard start != nil else { return }
        elements.append(Element(type: type, points: points))
    }

    /// Begins a subpath.
    public func move(to point: CGPoint, transform: CGAffineTransform = .identity) { add(.moveToPoint, [point], transform) }
    /// Adds a straight line; nothing where no subpath has begun, as of the curves below.
    public func addLine(to point: CGPoint, transform: CGAffineTransform = .identity) { add(.addLineToPoint, [point], transform) }
    /// Adds a cubic Bézier curve.
    public func addCurve(to end: CGPoint, control1: CGPoint, control2: CGPoint, transform: CGAffineTransform = .identity) {
        add(.addCurveToPoint, [control1, control2, end], transform)
    }
    /// Adds a quadratic Bézier curve.
    public func addQuadCurve(to end: CGPoint, control: CGPoint, transform: CGAffineTransform = .identity) {
        add(.addQuadCurveToPoint, [control, end], transform)
    }
    /// Closes the subpath by a straight line to its start.
    public func closeSubpath() {
        guard let last = elements.last, last.type != .closeSubpath else { return }
        add(.closeSubpath, [], .identity)
    }

    /// Begins a subpath at the first point, with lines to the others.
    public func addLines(between points: [CGPoint], transform: CGAffineTransform = .identity) {
        guard let first = points.first else { return }
        move(to: first, transform: transform)
        for point in points.dropFirst() { addLine(to: point, transform: transform) }
    }

    /// Adds the outline of a rectangle as a subpath of its own.
    public func addRect(_ rect: CGRect, transform: CGAffineTransform = .identity) {
        let corners = [(rect.minX, rect.minY), (rect.maxX, rect.minY), (rect.maxX, rect.maxY), (rect.minX, rect.maxY)]
        addLines(between: corners.map { CGPoint(x: $0.0, y: $0.1) }, transform: transform)
        closeSubpath()
    }

    /// Adds the outlines of rectangles.
    public func addRects(_ rects: [CGRect], transform: CGAffineTransform = .identity) {
        for rect in rects { addRect(rect, transform: transform) }
    }

    /// Adds the ellipse that touches the sides of a rectangle, from the middle of its right side on, as a subpath of its own.
    public func addEllipse(in rect: CGRect, transform: CGAffineTransform = .identity) {
        let unit = CGAffineTransform(translationX: rect.midX, y: rect.midY).scaledBy(x: rect.width / 2, y: rect.height / 2)
        addArc(center: .zero, radius: 1, startAngle: 0, endAngle: 2 * .pi, clockwise: false, transform: unit.concatenating(transform), begins: true)
        closeSubpath()
    }

    /// Adds a rectangle with corners of quarter ellipses; radii beyond half a side are cut to it.
    public func addRoundedRect(in rect: CGRect, cornerWidth: CGFloat, cornerHeight: CGFloat, transform: CGAffineTransform = .identity) {
        let (width, height) = (min(cornerWidth, rect.width / 2), min(cornerHeight, rect.height / 2))
        let corners: [(CGPoint, CGFloat)] = [
            (CGPoint(x: rect.maxX - width, y: rect.minY + height), -0.5), (CGPoint(x: rect.maxX - width, y: rect.maxY - height), 0),
            (CGPoint(x: rect.minX + width, y: rect.maxY - height), 0.5), (CGPoint(x: rect.minX + width, y: rect.minY + height), 1),
        ]
        for (index, (center, quarter)) in corners.enumerated() {
            let unit = CGAffineTransform(translationX: center.x, y: center.y).scaledBy(x: width, y: height)
            addArc(
                center: .zero, radius: 1, startAngle: quarter * .pi, endAngle: (quarter + 0.5) * .pi, clockwise: false,
                transform: unit.concatenating(transform), begins: index == 0)
        }
        closeSubpath()
    }

    /// Adds a part of a circle, with a line to its start; angles in radians from the x axis towards the y axis, or backwards where it is clockwise.
    public func addArc(
        center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool, transform: CGAffineTransform = .identity
    ) {
        addArc(
            center: center, radius: radius, startAngle: startAngle, endAngle: endAngle, clockwise: clockwise, transform: transform,
            begins: start == nil)
    }

    private func addArc(
        center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool, transform: CGAffineTransform, begins: Bool
    ) {
        var sweep = endAngle - startAngle
        if abs(sweep) >= 2 * .pi {
            sweep = clockwise ? -2 * .pi : 2 * .pi
        } else if clockwise, sweep > 0 {
            sweep -= 2 * .pi
        } else if !clockwise, sweep < 0 {
            sweep += 2 * .pi
        }
        func place(_ angle: CGFloat, _ along: CGFloat) -> CGPoint {
            let (sine, cosine) = (CGFloat(sin(Double(angle))), CGFloat(cos(Double(angle))))
            return CGPoint(x: center.x + radius * (cosine - along * sine), y: center.y + radius * (sine + along * cosine))
        }
        if begins { move(to: place(startAngle, 0), transform: transform) } else { addLine(to: place(startAngle, 0), transform: transform) }
        let count = Int((abs(sweep) / (.pi / 2)).rounded(.up))
        guard count > 0 else { return }
        let step = sweep / CGFloat(count)
        // Length of the handles that makes a cubic curve touch the circle in its middle.
        let handle = CGFloat(4.0 / 3 * tan(Double(step) / 4))
        for index in 0..<count {
            let (from, to) = (startAngle + step * CGFloat(index), startAngle + step * CGFloat(index + 1))
            addCurve(to: place(to, 0), control1: place(from, handle), control2: place(to, -handle), transform: transform)
        }
    }

    /// Adds the elements of another path.
    public func addPath(_ path: CGPath, transform: CGAffineTransform = .identity) {
        elements += path.elements.map { $0.applying(transform) }
        start = path.start?.applying(transform) ?? start
    }
}

extension CGRect {
    /// Smallest rectangle about the points; `.null` without any.
    init(around points: [CGPoint]) {
        guard let first = points.first else {
            self = .null
            return
        }
        var (low, high) = (first, first)
        for point in points {
            low = CGPoint(x: min(low.x, point.x), y: min(low.y, point.y))
            high = CGPoint(x: max(high.x, point.x), y: max(high.y, point.y))
        }
        self.init(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
    }
}

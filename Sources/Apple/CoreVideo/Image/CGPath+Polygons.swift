import Foundation

/// Polygons of a path, and the extreme points of its curves.
extension CGPath {
    /// The subpaths as closed polygons, each curve as 32 lines.
    func polygons(_ transform: CGAffineTransform) -> [[CGPoint]] { lines(transform).map(\.points) }

    /// The subpaths of more than a point, each curve as 32 lines, and whether they are closed.
    func lines(_ transform: CGAffineTransform) -> [(points: [CGPoint], isClosed: Bool)] {
        var result: [(points: [CGPoint], isClosed: Bool)] = []
        var (outline, isClosed): ([CGPoint], Bool) = ([], false)
        for element in elements {
            let points = element.points.map { $0.applying(transform) }
            switch element.type {
            case .moveToPoint:
                result.append((outline, isClosed))
                (outline, isClosed) = (points, false)
            case .addLineToPoint: outline += points
            case .addQuadCurveToPoint, .addCurveToPoint:
                guard let from = outline.last else { continue }
                let curve = Bezier([from] + points)
                outline += (1...32).map { curve.point(at: CGFloat($0) / 32) }
            // The polygon is closed, and what may follow begins with a point of its own.
            case .closeSubpath: isClosed = true
            }
        }
        return (result + [(outline, isClosed)]).filter { $0.points.count > 1 }
    }

    /// Ends of all elements, and the points at which a curve turns back in x or y.
    var extremes: [CGPoint] {
        var (result, last): ([CGPoint], CGPoint?) = ([], nil)
        for element in elements {
            guard let end = element.points.last else { continue }
            result.append(end)
            if let last, element.points.count > 1 { result += Bezier([last] + element.points).turningPoints }
            last = end
        }
        return result
    }
}

/// Bézier curve of three or four points.
private struct Bezier {
    let points: [CGPoint]

    init(_ points: [CGPoint]) { self.points = points }

    /// Point at 0…1 of the curve, by de Casteljau's construction.
    func point(at t: CGFloat) -> CGPoint {
        var points = points
        while points.count > 1 {
            points = zip(points, points.dropFirst()).map { CGPoint(x: $0.x + t * ($1.x - $0.x), y: $0.y + t * ($1.y - $0.y)) }
        }
        return points[0]
    }

    /// Points at which the derivative of x or y is 0.
    var turningPoints: [CGPoint] { (Self.roots(points.map(\.x)) + Self.roots(points.map(\.y))).filter { $0 > 0 && $0 < 1 }.map(point(at:)) }

    private static func roots(_ p: [CGFloat]) -> [CGFloat] {
        guard p.count == 4 else {
            let bend = p[0] - 2 * p[1] + p[2]
            return bend == 0 ? [] : [(p[0] - p[1]) / bend]
        }
        // The derivative is 3 (a t² + b t + c).
        let a = p[3] - 3 * p[2] + 3 * p[1] - p[0]
        let b = 2 * (p[2] - 2 * p[1] + p[0])
        let c = p[1] - p[0]
        guard a != 0 else { return b == 0 ? [] : [-c / b] }
        let root = b * b - 4 * a * c
        guard root >= 0 else { return [] }
        return [(-b + root.squareRoot()) / (2 * a), (-b - root.squareRoot()) / (2 * a)]
    }
}

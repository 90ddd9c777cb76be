import Foundation

/// Share of each pixel that lies within a path, in a bitmap counted from its lower left corner.
struct PathCoverage {
    /// Lines across a pixel; along them shares are exact.
    private static let lines = 16
    private let edges: [(from: CGPoint, to: CGPoint)]
    private let rule: CGPathFillRule
    private let width: Int
    /// Rows and columns that can be covered.
    let rows: Range<Int>
    let columns: Range<Int>

    init(_ path: CGPath, _ rule: CGPathFillRule, width: Int, height: Int) {
        let edges = path.polygons(.identity).flatMap { polygon -> [(from: CGPoint, to: CGPoint)] in
            zip(polygon, polygon.dropFirst() + polygon.prefix(1)).map { (from: $0, to: $1) }
        }
        self.edges = edges.filter { $0.from.y != $0.to.y }
        self.rule = rule
        self.width = width
        let box = CGRect(around: self.edges.flatMap { [$0.from, $0.to] })
        func limited(_ low: CGFloat, _ high: CGFloat, _ limit: Int) -> Range<Int> {
            guard low.isFinite, high.isFinite, high > 0, low < CGFloat(limit) else { return 0..<0 }
            return Int(max(low, 0).rounded(.down))..<Int(min(high, CGFloat(limit)).rounded(.up))
        }
        (rows, columns) = box.isNull ? (0..<0, 0..<0) : (limited(box.minY, box.maxY, height), limited(box.minX, box.maxX, width))
    }

    /// Shares of the pixels of a row, 0…1.
    func row(_ y: Int) -> [Float] {
        var result = [Float](repeating: 0, count: width)
        for line in 0..<Self.lines {
            let height = CGFloat(y) + (CGFloat(line) + 0.5) / CGFloat(Self.lines)
            var winding = 0
            var begin: CGFloat?
            for crossing in crossings(height) {
                winding += crossing.turn
                let isInside = rule == .winding ? winding != 0 : winding % 2 != 0
                if isInside, begin == nil { begin = crossing.x }
                if !isInside, let from = begin {
                    add(from, crossing.x, &result)
                    begin = nil
                }
            }
        }
        return result.map { min($0, 1) }
    }

    private func crossings(_ y: CGFloat) -> [(x: CGFloat, turn: Int)] {
        edges.filter { ($0.from.y <= y) != ($0.to.y <= y) }.map { from, to in
            (from.x + (y - from.y) / (to.y - from.y) * (to.x - from.x), to.y > from.y ? 1 : -1)
        }.sorted { $0.x < $1.x }
    }

    private func add(_ from: CGFloat, _ to: CGFloat, _ shares: inout [Float]) {
        let (from, to) = (min(max(from, 0), CGFloat(width)), min(max(to, 0), CGFloat(width)))
        guard from < to else { return }
        for x in Int(from)..<Int(to.rounded(.up)) {
            shares[x] += Float(min(to, CGFloat(x) + 1) - max(from, CGFloat(x))) / Float(Self.lines)
        }
    }
}

import Foundation
import Pipeline

/// A pet's body in units of its head: where it reaches from the head's centre; known only where depth tells it.
struct PetShape {
    private(set) var reach: (left: Double, right: Double, top: Double, bottom: Double)?

    private static let (columns, rows) = (96, 54)
    /// Area of a body in areas of its head.
    private static let believable = 1.8...40.0
    /// Share of the way to what is measured now.
    private static let pace = 0.15

    /// The body around a head.
    func box(head: CGRect) -> CGRect? {
        reach.map {
            CGRect(
                x: head.midX - $0.left * head.width, y: head.midY - $0.top * head.height, width: ($0.left + $0.right) * head.width,
                height: ($0.top + $0.bottom) * head.height)
        }
    }

    /// Looks at what hangs together in disparity around the head, the ground left out.
    mutating func tighten(head: CGRect, depth: DepthProbe) throws(VisionError) {
        guard depth.range > 0, depth.isTelling(depth.median(head.scaled(0.5))) else { return }
        let grid = DepthGrid(depth.map, width: Self.columns, height: Self.rows)
        let (x, y) = (Double(Self.columns) / depth.picture.width, Double(Self.rows) / depth.picture.height)
        let (column, row) = (Int(head.midX * x), Int(head.midY * y))
        guard (0..<Self.columns).contains(column), (0..<Self.rows).contains(row) else { return }
        guard let (cells, _) = try grid.component(column, row, tolerance: 0.08).keepComponent(at: column, row) else { return }
        let body = CGRect(x: cells.minX / x, y: cells.minY / y, width: cells.width / x, height: cells.height / y).union(head)
        guard Self.believable.contains(body.area / head.area), body.maxY - head.midY > 0.9 * head.height else { return }
        let now: (left: Double, right: Double, top: Double, bottom: Double) = (
            (head.midX - body.minX) / head.width, (body.maxX - head.midX) / head.width, (head.midY - body.minY) / head.height,
            (body.maxY - head.midY) / head.height
        )
        guard let old = reach else {
            reach = now
            return
        }
        func mix(_ old: Double, _ new: Double) -> Double { old + (new - old) * Self.pace }
        reach = (mix(old.left, now.left), mix(old.right, now.right), mix(old.top, now.top), mix(old.bottom, now.bottom))
    }
}

import Foundation
import Pipeline

/// A person's body in units of the face: where it reaches from the face's centre, in face widths and heights.
struct BodyShape {
    private(set) var left = 1.5
    private(set) var right = 1.5
    private(set) var top = 0.95
    private(set) var bottom = 3.3
    /// Whether depth has told it; else it is that of anybody.
    private(set) var isMeasured = false

    /// The widest reach that is believed.
    static let widest = 1.9

    func box(face: CGRect, in picture: ReducedPicture) -> CGRect {
        let reach = CGRect(
            x: face.midX - left * face.width, y: face.midY - top * face.height, width: (left + right) * face.width,
            height: (top + bottom) * face.height)
        let floor = max(picture.height, reach.minY + face.height)
        return CGRect(x: reach.minX, y: reach.minY, width: reach.width, height: min(reach.maxY, floor) - reach.minY)
    }

    /// Tightens the shape to what has the body's disparity around and below the face.
    mutating func tighten(face: CGRect, disparity: Double?, depth: DepthProbe) {
        guard let disparity, depth.range > 0 else { return }
        let (columns, rows) = (33, 24)
        let window = CGRect(
            x: face.midX - Self.widest * face.width, y: face.midY - 1.2 * face.height, width: 2 * Self.widest * face.width, height: 4.6 * face.height)
        let inside = occupancy(of: window, columns: columns, rows: rows, disparity: disparity, depth: depth)
        guard let extent = inside else { return }
        isMeasured = true
        let (cell, line) = (window.width / Double(columns), window.height / Double(rows))
        func approach(_ value: inout Double, _ target: Double, _ low: Double, _ high: Double) { value += (min(max(target, low), high) - value) * 0.1 }
        approach(&left, (face.midX - window.minX - Double(extent.firstColumn) * cell) / face.width, 0.8, Self.widest)
        approach(&right, (window.minX + Double(extent.lastColumn + 1) * cell - face.midX) / face.width, 0.8, Self.widest)
        approach(&top, (face.midY - window.minY - Double(extent.firstRow) * line) / face.height, 0.6, 1.2)
        approach(&bottom, (window.minY + Double(extent.lastRow + 1) * line - face.midY) / face.height, 1.5, 3.3)
    }

    /// The columns and rows that the body fills, followed outwards from the face; nil when the face itself is not at that depth.
    private func occupancy(
        of window: CGRect, columns: Int, rows: Int, disparity: Double, depth: DepthProbe
    ) -> (firstColumn: Int, lastColumn: Int, firstRow: Int, lastRow: Int)? {
        let tolerance = depth.tolerance(at: disparity)
        let area = depth.picture.normalized(window)
        let (map, width, height) = (depth.map, depth.map.width, depth.map.height)
        var byColumn = [Int](repeating: 0, count: columns)
        var byRow = [Int](repeating: 0, count: rows)
        for j in 0..<rows {
            let y = Int((area.minY + (Double(j) + 0.5) / Double(rows) * area.height) * Double(height))
            guard y >= 0, y < height else { continue }
            let row = map.row(y)
            for i in 0..<columns {
                let x = Int((area.minX + (Double(i) + 0.5) / Double(columns) * area.width) * Double(width))
                guard x >= 0, x < width, abs(Double(row[x]) - disparity) <= tolerance else { continue }
                byRow[j] += 1
                byColumn[i] += 1
            }
        }
        let (middle, face) = (columns / 2, rows * 12 / 46)
        guard byColumn[middle] >= 3, byRow[face] >= 2 else { return nil }
        var (first, last, upper, lower) = (middle, middle, face, face)
        while first > 0, byColumn[first - 1] >= 3 { first -= 1 }
        while last < columns - 1, byColumn[last + 1] >= 3 { last += 1 }
        while upper > 0, byRow[upper - 1] >= 2 { upper -= 1 }
        while lower < rows - 1, byRow[lower + 1] >= 3 { lower += 1 }
        return (first, last, upper, lower)
    }
}

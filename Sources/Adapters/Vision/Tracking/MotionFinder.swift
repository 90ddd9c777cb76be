import Foundation
import Pipeline

/// Finds what moves in depth though nothing knows its kind: a part of the disparity map that came before what was there, and keeps going.
///
///     nothing ──something nearer than the background──► suspect ──goes on, for long enough──► found
///                                                          └──gone, or stands still──► nothing
///
/// Works on 64 x 36 cells. The background is what each cell showed for most of the time; a camera that moves changes all of it, and then
/// nothing is found.
struct MotionFinder {
    static let (columns, rows) = (64, 36)
    /// Least time that something must be there, nanoseconds, and least way that it must have gone, in its own sizes.
    private static let (patience, way): (Int64, Double) = (1_000_000_000, 0.35)
    /// Share of all cells that one thing may cover, and beyond which it is the camera that moves.
    private static let (smallest, largest, moving) = (0.006, 0.3, 0.4)

    private var background: [Double] = []
    private var suspect: (first: CGRect, box: CGRect, since: Int64)?

    /// The box (0…1) of what moves; `isExplained` says of a box whether a known subject is there.
    mutating func step(_ depth: DepthProbe, time: Int64, isExplained: (CGRect) -> Bool) -> CGRect? {
        let now = cells(of: depth.map)
        guard background.count == now.count, now.contains(where: { $0 != now[0] }) else {
            background = now
            suspect = nil
            return nil
        }
        let nearer = now.indices.map { now[$0] > background[$0] + depth.tolerance(at: now[$0]) }
        if Double(nearer.count(where: { $0 })) > Self.moving * Double(now.count) {
            background = now
            suspect = nil
        }
        for index in now.indices {
            // A farther cell uncovers the background at once; a nearer one becomes part of it when it stays for many seconds.
            background[index] += (now[index] - background[index]) * (now[index] < background[index] ? 0.3 : 0.004)
        }
        let open = Self.components(of: nearer).filter { !isExplained($0) }
        if let old = suspect {
            let next = open.max { ($0.overlap(old.box), $0.area) < ($1.overlap(old.box), $1.area) }
            guard let next, next.overlap(old.box) > 0.3 else {
                suspect = nil
                return nil
            }
            suspect!.box = next
            let gone = hypot((next.midX - old.first.midX) / old.first.width, (next.midY - old.first.midY) / old.first.height)
            guard time - old.since >= Self.patience, gone > Self.way else { return nil }
            suspect = nil
            return next
        }
        suspect = open.max { $0.area < $1.area }.map { ($0, $0, time) }
        return nil
    }

    private func cells(of map: DisparityMap) -> [Double] {
        (0..<Self.rows).flatMap { j in
            let row = map.row((2 * j + 1) * map.height / (2 * Self.rows))
            return (0..<Self.columns).map { i in
                let value = Double(row[(2 * i + 1) * map.width / (2 * Self.columns)])
                return value.isFinite ? value : 0
            }
        }
    }

    /// Boxes (0…1) around cells that hang together, those of a believable size, in reading order.
    private static func components(of cells: [Bool]) -> [CGRect] {
        var (open, boxes) = (cells, [CGRect]())
        for start in cells.indices where open[start] {
            let members = ConnectedCells.flood(from: [start], through: &open, columns: columns)
            guard (smallest...largest).contains(Double(members.count) / Double(columns * rows)) else { continue }
            boxes.append(ConnectedCells.bounds(of: members, columns: columns, rows: rows))
        }
        return boxes
    }
}

import Foundation

/// Graphics that stand in the picture over cuts, as a channel's logo does: no part of the scene, and as sharp as the nearest subject, which mostly is in focus.
///
/// They are found by the edges that are where they were ahead of the cut, a third of a second and more behind it, when coding has caught up with it.
struct ScreenGraphics {
    /// Levels by which a pixel of an edge may change over a cut, and least range of the levels about it (3 x 3).
    private static let (change, edge) = (16, 40)
    /// Gap between edges of one graphic, pixels; least number of its pixels with that around them; largest share of the picture.
    private static let (gap, smallest, largest): (Float, Int, Double) = (3.5, 200, 0.03)
    /// Share of the edges in its place that stay, and largest share of all edges: where more stay, the scene does.
    private static let (staying, most) = (0.75, 0.5)
    /// Time from a cut on in which coding catches up with it, nanoseconds.
    static let settling: Int64 = 300_000_000

    /// As large as a map; nil for none.
    private(set) var mask: SoftMask?
    private var last: Raster?

    /// Takes in the luma of the next picture.
    mutating func see(_ luma: Raster) { last = luma }

    /// The next picture is of another shot of which nothing is known ahead.
    mutating func forget() { mask = nil }

    /// Looks for what stands since before the cut in pictures of the shot that begins: their luma, some time behind the cut.
    mutating func look(at pictures: [Raster]) {
        guard let last, !pictures.isEmpty, pictures.allSatisfy({ ($0.width, $0.height) == (last.width, last.height) }) else { return }
        mask = nil
        let (before, behind) = (Self.edges(of: last), pictures.map(Self.edges))
        var standing = SoftMask(width: last.width, height: last.height)
        for at in standing.values.indices where before[at] && behind.allSatisfy({ $0[at] }) {
            standing.values[at] = pictures.allSatisfy { abs(Int($0.bytes[at]) - Int(last.bytes[at])) <= Self.change } ? 1 : 0
        }
        guard Double(standing.values.count { $0 > 0 }) < Self.most * Double(before.count { $0 }) else { return }
        let distance = standing.distance()
        var about = standing
        for at in about.values.indices { about.values[at] = distance[at] < Self.gap ? 1 : 0 }
        for part in about.components(least: Self.smallest) where part.area < Self.largest {
            let members = part.values.indices.filter { part.values[$0] > 0 }
            let (all, still) = (members.count { before[$0] || behind[0][$0] }, members.count { standing.values[$0] > 0 })
            guard Double(still) >= Self.staying * Double(all) else { continue }
            let graphic = standing.spanned(within: members)
            if mask == nil { mask = graphic } else { mask!.raise(to: graphic) }
        }
    }

    /// Whether each pixel lies about an edge.
    private static func edges(of luma: Raster) -> [Bool] {
        var edges = [Bool](repeating: false, count: luma.width * luma.height)
        for y in 1..<max(luma.height - 1, 1) {
            for x in 1..<max(luma.width - 1, 1) {
                var (least, most): (UInt8, UInt8) = (255, 0)
                for row in y - 1...y + 1 {
                    let pixels = luma.pixel(x - 1, row)
                    for column in 0..<3 { (least, most) = (min(least, pixels[column]), max(most, pixels[column])) }
                }
                edges[y * luma.width + x] = Int(most) - Int(least) >= edge
            }
        }
        return edges
    }
}

extension SoftMask {
    /// Those of some pixels that lie between pixels of the mask both in their row and in their column.
    fileprivate func spanned(within members: [Int]) -> SoftMask {
        var (rows, columns) = ([Int: ClosedRange<Int>](), [Int: ClosedRange<Int>]())
        for at in members where values[at] >= 0.5 {
            let (x, y) = (at % width, at / width)
            rows[y] = rows[y].map { min($0.lowerBound, x)...max($0.upperBound, x) } ?? x...x
            columns[x] = columns[x].map { min($0.lowerBound, y)...max($0.upperBound, y) } ?? y...y
        }
        var result = SoftMask(width: width, height: height)
        for (y, row) in rows {
            for x in row where columns[x]?.contains(y) == true { result.values[y * width + x] = 1 }
        }
        return result
    }
}

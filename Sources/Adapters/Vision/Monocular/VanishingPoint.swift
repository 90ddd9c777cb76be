import Foundation

/// Horizon from converging edges: the height on which most oblique edges of a picture meet.
///
/// Voting over a grid of candidates as in Kong, Audibert and Ponce, "Vanishing point detection for road detection", CVPR 2009, with gradients
/// instead of Gabor filters; edges have to come from both sides.
enum VanishingPoint {
    /// Least gradient (Sobel, codes), and least share of either of its parts in it: what is upright or level proves nothing.
    private static let (gradient, oblique) = (90.0, 0.3)
    private static let mostEdges = 500
    /// Angle, radians, within which an edge points to a candidate; nearest candidate, pixels.
    private static let (angle, nearest) = (0.035, 12.0)
    /// Least share of the edges, their least number, and the least share from either side.
    private static let (share, fewest, side) = (0.12, 40, 0.3)
    /// Candidates across, over one and a half widths, and down, between these heights, 0…1.
    private static let (columns, rows, heights) = (50, 28, 0.08...0.64)

    private struct Edge {
        var x: Double
        var y: Double
        /// Unit vector across the edge.
        var across: Double
        var down: Double
    }

    /// Height of the vanishing point in a grey picture, 0…1 downwards; nil where edges meet nowhere.
    static func horizon(in luma: Raster) -> Double? {
        let edges = edges(of: luma)
        var (best, most) = (0.0, 0)
        for row in 0..<rows {
            let height = heights.lowerBound + (heights.upperBound - heights.lowerBound) * (Double(row) + 0.5) / Double(rows)
            for column in 0..<columns {
                let x = (-0.25 + 1.5 * (Double(column) + 0.5) / Double(columns)) * Double(luma.width)
                let votes = votes(of: edges, x, height * Double(luma.height))
                let all = votes.rising + votes.falling
                if all > most, Double(min(votes.rising, votes.falling)) >= side * Double(all) { (best, most) = (height, all) }
            }
        }
        return most >= fewest && Double(most) >= share * Double(edges.count) ? best : nil
    }

    /// Edges that point to a place, those that rise to the right and those that fall.
    private static func votes(of edges: [Edge], _ x: Double, _ y: Double) -> (rising: Int, falling: Int) {
        var (rising, falling) = (0, 0)
        for edge in edges {
            let (dx, dy) = (x - edge.x, y - edge.y)
            let square = dx * dx + dy * dy
            let off = dx * edge.across + dy * edge.down
            guard square > nearest * nearest, off * off < angle * angle * square else { continue }
            if edge.across * edge.down > 0 { rising += 1 } else { falling += 1 }
        }
        return (rising, falling)
    }

    /// The strongest oblique edges.
    private static func edges(of luma: Raster) -> [Edge] {
        guard luma.width > 2, luma.height > 2 else { return [] }
        var found: [(strength: Double, edge: Edge)] = []
        for y in 1..<luma.height - 1 {
            for x in 1..<luma.width - 1 {
                func code(_ dx: Int, _ dy: Int) -> Double { Double(luma.bytes[(y + dy) * luma.width + x + dx]) }
                let across = code(1, -1) + 2 * code(1, 0) + code(1, 1) - code(-1, -1) - 2 * code(-1, 0) - code(-1, 1)
                let down = code(-1, 1) + 2 * code(0, 1) + code(1, 1) - code(-1, -1) - 2 * code(0, -1) - code(1, -1)
                let strength = (across * across + down * down).squareRoot()
                guard strength >= gradient, min(abs(across), abs(down)) >= oblique * strength else { continue }
                found.append((strength, Edge(x: Double(x), y: Double(y), across: across / strength, down: down / strength)))
            }
        }
        return found.sorted { $0.strength > $1.strength }.prefix(mostEdges).map(\.edge)
    }
}

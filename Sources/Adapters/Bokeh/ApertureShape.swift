import Foundation

/// The opening of the lens as the disc passes see it, row by row: a circle, the polygon of an iris, or what the rim of the lens leaves of either
/// towards the corners of the picture.
///
/// One table holds all of it, for each tile of the picture, since the cat's eye turns with the place; so a shape costs the same as any other.
struct ApertureShape: Equatable {
    /// Rows of the opening from -1 to 1.
    static let rows = 64

    let columns: Int
    let tiles: Int
    /// For every tile (or one for all), far layer first, then near: the left and the right end of each row in radii, and their change to the next.
    let entries: [SIMD4<Float>]

    /// Nil where the opening is round.
    init?(_ options: BokehOptions, _ geometry: LensGeometry) {
        guard !options.isRound else { return nil }
        let isSame = options.catsEye == 0
        columns = isSame ? 1 : geometry.columns
        let rows = isSame ? 1 : geometry.rows
        tiles = columns * rows
        let (width, height) = (Double(geometry.workWidth), Double(geometry.workHeight))
        let halfDiagonal = (width * width + height * height).squareRoot() / 2
        var far: [SIMD4<Float>] = []
        var near: [SIMD4<Float>] = []
        for tile in 0..<tiles {
            let x = Double((tile % columns) * LensGeometry.tile + LensGeometry.tile / 2) - width / 2
            let y = Double((tile / columns) * LensGeometry.tile + LensGeometry.tile / 2) - height / 2
            let cut = isSame ? SIMD2(0, 0) : SIMD2(x, y) / halfDiagonal * options.catsEye
            let ends = (0...Self.rows).map { Self.ends(Double($0) / Double(Self.rows / 2) - 1, blades: options.blades, cut: cut) }
            // A pixel gathers what reaches it: the opening about itself is turned by half a turn. In front of the focus it is turned once more.
            near += Self.table(ends)
            far += Self.table(ends.reversed().map { ($0.right == $0.left ? (0, 0) : (-$0.right, -$0.left)) })
        }
        entries = far + near
    }

    /// The ends of row `at`, in radii from the middle; as far as a disc of tile `tile` is concerned, of the near layer or the far one.
    func ends(_ at: Float, tile: Int, near: Bool) -> (left: Float, right: Float) {
        let row = min(max((at + 1) * 32, 0), 63.999)
        let entry = entries[((near ? tiles : 0) + (tiles == 1 ? 0 : tile)) * Self.rows + Int(row)]
        let part = row - row.rounded(.down)
        return (entry.x + part * entry.z, entry.y + part * entry.w)
    }

    /// Whether a point, in radii, lies in the opening; `cut` is how far the two circles of a cat's eye are apart.
    static func contains(_ point: SIMD2<Double>, blades: Int, cut: SIMD2<Double>) -> Bool {
        let ends = ends(point.y, blades: blades, cut: cut)
        return ends.left < ends.right && (ends.left...ends.right).contains(point.x)
    }

    /// Corners of the polygon lie on the circle, none at its top, so that the opening grows row by row. A cat's eye is common to two circles.
    private static func ends(_ at: Double, blades: Int, cut: SIMD2<Double>) -> (left: Double, right: Double) {
        func circle(_ centre: SIMD2<Double>) -> (Double, Double)? {
            let square = 1 - (at - centre.y) * (at - centre.y)
            return square <= 0 ? nil : (centre.x - square.squareRoot(), centre.x + square.squareRoot())
        }
        guard let first = circle(cut / 2), let second = circle(-cut / 2) else { return (0, 0) }
        var (left, right) = (max(first.0, second.0), min(first.1, second.1))
        for blade in 0..<blades {
            let normal = (Double(blade) + 0.5) * 2 * Double.pi / Double(blades) + 0.3
            let (x, y) = (cos(normal), sin(normal))
            let limit = (cos(Double.pi / Double(blades)) - at * y) / x
            if x > 0 { right = min(right, limit) } else { left = max(left, limit) }
        }
        return left < right ? (left, right) : (0, 0)
    }

    private static func table(_ ends: [(left: Double, right: Double)]) -> [SIMD4<Float>] {
        zip(ends, ends.dropFirst()).map { SIMD4(Float($0.left), Float($0.right), Float($1.left - $0.left), Float($1.right - $0.right)) }
    }
}

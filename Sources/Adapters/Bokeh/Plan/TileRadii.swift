import CoreVideo
import Dispatch
import Pipeline

/// Blur of each tile; radii in pixels of the picture.
struct TileRadii {
    let columns: Int
    let rows: Int
    /// The largest radii in front of and behind the focus; 0 where nothing is blurred.
    let near: [Float]
    let far: [Float]
    /// The smallest radius of what is behind the focus and blurred; 0 where nothing is.
    let farLeast: [Float]
    /// From this radius in layer pixels on, discs in front of the focus are drawn coarsely: `coarseNear`, beside lights `coarse`.
    let coarseNear: [Float]
    /// Whether everything is behind the focus and drawn coarsely, and whether everything is drawn so in front or behind.
    let isAllCoarseFar: [Bool]
    let isAllCoarse: [Bool]
    /// Whether everything is in front of the focus and out of it, so that it hides what is behind, and whether everything is so behind it.
    let isFullyNear: [Bool]
    let isFullyFar: [Bool]
    /// Whether a good part of the tile is blurred, but not coarsely.
    let hasFineNear: [Bool]
    let hasFineFar: [Bool]

    /// Whether anything is blurred.
    var hasBlur: Bool { near.contains { $0 > 0 } || far.contains { $0 > 0 } }

    /// Up to this radius in pixels of the picture, nothing is blurred.
    static let slight: Float = 0.75
    /// From this radius in layer pixels on, discs are drawn coarsely.
    static let coarse: Float = 5
    /// The same in front of the focus, but beside lights, whose discs have rims to be seen.
    static let coarseNear: Float = 4
    /// The same where the far layer's depth jumps and discs gather: coarse pixels cost less there than edges drawn wrong.
    static let gathered: Float = 4
    /// From this radius in layer pixels on, gathered discs are drawn broadly.
    static let broad: Float = 7

    private struct Tile {
        var near: Float = 0
        var far: Float = 0
        var farLeast: Float = 0
        var coarseNear: Float = 0
        var isAllCoarseFar = false
        var isAllCoarse = false
        var isFullyNear = false
        var isFullyFar = false
        /// Parts blurred slightly in front of and behind the focus.
        var fine = SIMD2<Float>.zero
    }

    init(_ image: CVPixelBuffer, geometry: LensGeometry, parameters: LensParameters, disparity: DisparityMap) {
        let (columns, rows) = (geometry.columns, geometry.rows)
        let focus = parameters.focus
        let perDisparity = max(parameters.radiusPerDisparity, 1e-6)
        let slight = Self.slight / perDisparity
        let whole = (Self.slight + 1) / perDisparity
        let perLayerRadius = Float(geometry.scale) / perDisparity
        let largeFar = Self.coarse * perLayerRadius
        let lights = LightFinder(image, format: geometry.format, knee: parameters.knee)
        let spansX = (0..<columns).map { Self.span(of: $0, side: geometry.tileSide, size: geometry.width, map: geometry.mapWidth) }
        let ends = spansX.flatMap { [Int32($0.lowerBound), Int32($0.upperBound)] }
        var tiles = [Tile](repeating: Tile(), count: columns * rows)
        tiles.withUnsafeMutableBufferPointer { tiles in
            nonisolated(unsafe) let tiles = tiles
            DispatchQueue.concurrentPerform(iterations: rows) { row in
                let lines = Self.span(of: row, side: geometry.tileSide, size: geometry.height, map: geometry.mapHeight)
                let plane = disparity.buffer.plane(0)
                let extremes = Extremes.tiles(in: plane, lines, ends, focus: focus, slight: slight)
                for column in 0..<columns {
                    let range = extremes[column]
                    let mayBeCoarse = range.high >= focus + Self.coarseNear * perLayerRadius && range.closestNear <= focus + largeFar
                    let isLit = mayBeCoarse && lights.hasLight(columns: geometry.surroundings(of: column), rows: geometry.surroundings(of: row))
                    let coarseNear = isLit ? Self.coarse : Self.coarseNear
                    let largeNear = coarseNear * perLayerRadius
                    let fine = Extremes.shares(
                        in: plane, lines, spansX[column], focus: focus, slight: slight, near: largeNear, far: largeFar)
                    let nearest = (range.high - focus) * parameters.radiusPerDisparity
                    let farthest = (focus - range.low) * parameters.radiusPerDisparity
                    let leastFar = (focus - range.leastBlurredFar) * parameters.radiusPerDisparity
                    tiles[row * columns + column] = Tile(
                        near: nearest > Self.slight ? min(nearest, parameters.maxRadius) : 0,
                        far: farthest > Self.slight ? min(farthest, parameters.maxRadius) : 0,
                        farLeast: farthest > Self.slight ? min(leastFar, parameters.maxRadius) : 0,
                        coarseNear: coarseNear, isAllCoarseFar: range.high < focus - largeFar,
                        isAllCoarse: range.closestFar < focus - largeFar && range.closestNear > focus + largeNear,
                        isFullyNear: range.low > focus + whole, isFullyFar: range.high < focus - whole, fine: fine)
                }
            }
        }
        self.columns = columns
        self.rows = rows
        near = tiles.map(\.near)
        far = tiles.map(\.far)
        farLeast = tiles.map(\.farLeast)
        coarseNear = tiles.map(\.coarseNear)
        isAllCoarseFar = tiles.map(\.isAllCoarseFar)
        isAllCoarse = tiles.map(\.isAllCoarse)
        isFullyNear = tiles.map(\.isFullyNear)
        isFullyFar = tiles.map(\.isFullyFar)
        let tolerated: Float = 1 / 16
        hasFineNear = tiles.map { $0.fine.x > tolerated }
        hasFineFar = tiles.map { $0.fine.y > tolerated }
    }

    /// The map's pixels a tile can read, interpolation included.
    private static func span(of tile: Int, side: Int, size: Int, map: Int) -> Range<Int> {
        let first = tile * side
        let last = min(first + side, size)
        guard map != size else { return min(first, size - 1)..<max(last, min(first, size - 1) + 1) }
        let ratio = Double(map) / Double(size)
        let low = Int((Double(first) + 0.5) * ratio - 0.5) - 1
        let high = Int((Double(last) + 0.5) * ratio + 0.5) + 2
        return min(max(low, 0), map - 1)..<min(max(high, 1), map)
    }
}

import Dispatch
import Pipeline

/// How each tile is blurred; radii in pixels of the picture.
struct TileRadii {
    let columns: Int
    let rows: Int
    /// The largest radii in front of and behind the focus; 0 where nothing is blurred.
    let near: [Float]
    let far: [Float]
    /// The smallest radius of what is behind the focus and blurred; 0 where nothing is.
    let farLeast: [Float]
    /// Whether everything is far out of focus by at least `coarse`, and whether everything is out of focus by as much.
    let isAllFar: [Bool]
    let isAllBlurred: [Bool]
    /// Whether a good part of the tile is blurred, but by less than `coarse`.
    let hasFineNear: [Bool]
    let hasFineFar: [Bool]

    /// Up to this radius in pixels of the picture, nothing is blurred.
    static let slight: Float = 0.75
    /// From this radius in layer pixels on, discs are drawn coarsely.
    static let coarse: Float = 5

    private struct Tile {
        var near: Float = 0
        var far: Float = 0
        var farLeast: Float = 0
        var isAllFar = false
        var isAllBlurred = false
        /// Parts blurred slightly in front of and behind the focus.
        var fine = SIMD2<Float>.zero
    }

    init(geometry: LensGeometry, parameters: LensParameters, disparity: DisparityMap) {
        let (columns, rows) = (geometry.columns, geometry.rows)
        let focus = parameters.focus
        let perDisparity = max(parameters.radiusPerDisparity, 1e-6)
        let slight = Self.slight / perDisparity
        let large = Self.coarse * Float(geometry.scale) / perDisparity
        let spansX = (0..<columns).map { Self.span(of: $0, side: geometry.tileSide, size: geometry.width, map: geometry.mapWidth) }
        var tiles = [Tile](repeating: Tile(), count: columns * rows)
        tiles.withUnsafeMutableBufferPointer { tiles in
            nonisolated(unsafe) let tiles = tiles
            DispatchQueue.concurrentPerform(iterations: rows) { row in
                let spanY = Self.span(of: row, side: geometry.tileSide, size: geometry.height, map: geometry.mapHeight)
                for column in 0..<columns {
                    let range = Self.extremes(disparity, spansX[column], spanY, focus: focus, slight: slight)
                    let nearest = (range.high - focus) * parameters.radiusPerDisparity
                    let farthest = (focus - range.low) * parameters.radiusPerDisparity
                    tiles[row * columns + column] = Tile(
                        near: nearest > Self.slight ? min(nearest, parameters.maxRadius) : 0,
                        far: farthest > Self.slight ? min(farthest, parameters.maxRadius) : 0,
                        farLeast: farthest > Self.slight ? min((focus - range.nearestFar) * parameters.radiusPerDisparity, parameters.maxRadius) : 0,
                        isAllFar: range.high < focus - large, isAllBlurred: range.closest > large,
                        fine: Self.shares(
                            disparity, spansX[column], spanY, near: focus + slight..<focus + large, far: focus - large..<focus - slight))
                }
            }
        }
        self.columns = columns
        self.rows = rows
        near = tiles.map(\.near)
        far = tiles.map(\.far)
        farLeast = tiles.map(\.farLeast)
        isAllFar = tiles.map(\.isAllFar)
        isAllBlurred = tiles.map(\.isAllBlurred)
        let tolerated: Float = 1 / 16
        hasFineNear = tiles.map { $0.fine.x > tolerated }
        hasFineFar = tiles.map { $0.fine.y > tolerated }
    }

    /// The parts of a tile between two disparities, of every fourth row.
    private static func shares(_ map: DisparityMap, _ x: Range<Int>, _ y: Range<Int>, near: Range<Float>, far: Range<Float>) -> SIMD2<Float> {
        var (nearCount, farCount) = (SIMD16<Int32>.zero, SIMD16<Int32>.zero)
        var count = 0
        for line in stride(from: y.lowerBound, to: y.upperBound, by: 4) {
            let row = map.row(line)
            var at = x.lowerBound
            while at + 16 <= x.upperBound {
                let values = UnsafeRawPointer(row + at).loadUnaligned(as: SIMD16<Float>.self)
                nearCount.replace(with: nearCount &+ 1, where: (values .> near.lowerBound) .& (values .< near.upperBound))
                farCount.replace(with: farCount &+ 1, where: (values .> far.lowerBound) .& (values .< far.upperBound))
                at += 16
            }
            while at < x.upperBound {
                nearCount[0] += near.contains(row[at]) ? 1 : 0
                farCount[0] += far.contains(row[at]) ? 1 : 0
                at += 1
            }
            count += x.count
        }
        return SIMD2(Float(nearCount.wrappedSum()), Float(farCount.wrappedSum())) / Float(max(count, 1))
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

    /// Of a tile: the least and the greatest disparity, the distance from the focus of what is closest to it, and the greatest behind it by `slight`.
    private static func extremes(
        _ map: DisparityMap, _ x: Range<Int>, _ y: Range<Int>, focus: Float, slight: Float
    ) -> (low: Float, high: Float, closest: Float, nearestFar: Float) {
        let behind = focus - slight
        var low = map.row(y.lowerBound)[x.lowerBound]
        var high = low
        var lows = SIMD16<Float>(repeating: low)
        var highs = lows
        var closest = (low - focus) * (low - focus)
        var distances = SIMD16<Float>(repeating: closest)
        var nearestFar = -Float.greatestFiniteMagnitude
        var nearestFars = SIMD16<Float>(repeating: nearestFar)
        for line in y {
            let row = map.row(line)
            var at = x.lowerBound
            while at + 16 <= x.upperBound {
                let values = UnsafeRawPointer(row + at).loadUnaligned(as: SIMD16<Float>.self)
                lows.replace(with: values, where: values .< lows)
                highs.replace(with: values, where: values .> highs)
                nearestFars.replace(with: values, where: (values .> nearestFars) .& (values .< behind))
                let distance = (values - focus) * (values - focus)
                distances.replace(with: distance, where: distance .< distances)
                at += 16
            }
            while at < x.upperBound {
                low = min(low, row[at])
                high = max(high, row[at])
                if row[at] < behind { nearestFar = max(nearestFar, row[at]) }
                closest = min(closest, (row[at] - focus) * (row[at] - focus))
                at += 1
            }
        }
        return (
            min(low, lows.min()), max(high, highs.max()), min(closest, distances.min()).squareRoot(), max(nearestFar, nearestFars.max())
        )
    }
}

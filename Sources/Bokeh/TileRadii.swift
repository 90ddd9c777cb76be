import Dispatch
import Pipeline

/// The largest blur radii in front of and behind the focus within each tile, in pixels of the picture; 0 where nothing is blurred.
struct TileRadii {
    let columns: Int
    let rows: Int
    private(set) var near: [Float]
    private(set) var far: [Float]

    init(geometry: LensGeometry, parameters: LensParameters, disparity: DisparityMap) {
        let (columns, rows) = (geometry.columns, geometry.rows)
        self.columns = columns
        self.rows = rows
        var near = [Float](repeating: 0, count: columns * rows)
        var far = near
        let spansX = (0..<columns).map { Self.span(of: $0, side: geometry.tileSide, size: geometry.width, map: geometry.mapWidth) }
        near.withUnsafeMutableBufferPointer { near in
            far.withUnsafeMutableBufferPointer { far in
                nonisolated(unsafe) let near = near
                nonisolated(unsafe) let far = far
                DispatchQueue.concurrentPerform(iterations: rows) { row in
                    let spanY = Self.span(of: row, side: geometry.tileSide, size: geometry.height, map: geometry.mapHeight)
                    for column in 0..<columns {
                        let range = Self.extremes(disparity, spansX[column], spanY)
                        let nearest = (range.high - parameters.focus) * parameters.radiusPerDisparity
                        let farthest = (parameters.focus - range.low) * parameters.radiusPerDisparity
                        near[row * columns + column] = nearest > 0.5 ? min(nearest, parameters.maxRadius) : 0
                        far[row * columns + column] = farthest > 0.5 ? min(farthest, parameters.maxRadius) : 0
                    }
                }
            }
        }
        self.near = near
        self.far = far
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

    private static func extremes(_ map: DisparityMap, _ x: Range<Int>, _ y: Range<Int>) -> (low: Float, high: Float) {
        var low = map.row(y.lowerBound)[x.lowerBound]
        var high = low
        var lows = SIMD16<Float>(repeating: low)
        var highs = lows
        for line in y {
            let row = map.row(line)
            var at = x.lowerBound
            while at + 16 <= x.upperBound {
                let values = UnsafeRawPointer(row + at).loadUnaligned(as: SIMD16<Float>.self)
                lows.replace(with: values, where: values .< lows)
                highs.replace(with: values, where: values .> highs)
                at += 16
            }
            while at < x.upperBound {
                low = min(low, row[at])
                high = max(high, row[at])
                at += 1
            }
        }
        return (min(low, lows.min()), max(high, highs.max()))
    }
}

import CoreVideo
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
                let plane = disparity.buffer.plane(0)
                for column in 0..<columns {
                    let range = Extremes(
                        plane, spansX[column], spanY, focus: focus, slight: slight,
                        fine: (near: focus + slight..<focus + large, far: focus - large..<focus - slight))
                    let nearest = (range.high - focus) * parameters.radiusPerDisparity
                    let farthest = (focus - range.low) * parameters.radiusPerDisparity
                    tiles[row * columns + column] = Tile(
                        near: nearest > Self.slight ? min(nearest, parameters.maxRadius) : 0,
                        far: farthest > Self.slight ? min(farthest, parameters.maxRadius) : 0,
                        farLeast: farthest > Self.slight ? min((focus - range.nearestFar) * parameters.radiusPerDisparity, parameters.maxRadius) : 0,
                        isAllFar: range.high < focus - large, isAllBlurred: range.closest > large, fine: range.fine)
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

    /// What the disparities of a tile reach.
    private struct Extremes {
        var low: Float
        var high: Float
        /// Distance from the focus of what is closest to it.
        var closest: Float
        /// The greatest behind the focus by `slight`.
        var nearestFar: Float
        /// The parts of it, by every fourth row, within two ranges.
        var fine: SIMD2<Float>

        init(
            _ map: CVBuffer.Plane, _ x: Range<Int>, _ y: Range<Int>, focus: Float, slight: Float, fine ranges: (near: Range<Float>, far: Range<Float>)
        ) {
            let (base, bytesPerRow) = (UnsafeRawPointer(map.base), map.bytesPerRow)
            let behind = focus - slight
            low = base.load(fromByteOffset: y.lowerBound * bytesPerRow + 4 * x.lowerBound, as: Float.self)
            high = low
            closest = (low - focus) * (low - focus)
            nearestFar = -Float.greatestFiniteMagnitude
            var (lows, highs) = (SIMD16<Float>(repeating: low), SIMD16<Float>(repeating: high))
            var (distances, nearestFars) = (SIMD16<Float>(repeating: closest), SIMD16<Float>(repeating: nearestFar))
            var (nearCounts, farCounts) = (SIMD16<Int32>.zero, SIMD16<Int32>.zero)
            var count = 0
            for line in y {
                let row = (base + line * bytesPerRow).assumingMemoryBound(to: Float.self)
                let isCounted = (line - y.lowerBound) % 4 == 0
                if isCounted { count += x.count }
                var at = x.lowerBound
                while at + 16 <= x.upperBound {
                    let values = UnsafeRawPointer(row + at).loadUnaligned(as: SIMD16<Float>.self)
                    lows.replace(with: values, where: values .< lows)
                    highs.replace(with: values, where: values .> highs)
                    nearestFars.replace(with: values, where: (values .> nearestFars) .& (values .< behind))
                    let distance = (values - focus) * (values - focus)
                    distances.replace(with: distance, where: distance .< distances)
                    if isCounted {
                        nearCounts.replace(with: nearCounts &+ 1, where: (values .> ranges.near.lowerBound) .& (values .< ranges.near.upperBound))
                        farCounts.replace(with: farCounts &+ 1, where: (values .> ranges.far.lowerBound) .& (values .< ranges.far.upperBound))
                    }
                    at += 16
                }
                while at < x.upperBound {
                    let value = row[at]
                    low = min(low, value)
                    high = max(high, value)
                    if value < behind { nearestFar = max(nearestFar, value) }
                    closest = min(closest, (value - focus) * (value - focus))
                    if isCounted {
                        nearCounts[0] += ranges.near.contains(value) ? 1 : 0
                        farCounts[0] += ranges.far.contains(value) ? 1 : 0
                    }
                    at += 1
                }
            }
            low = min(low, lows.min())
            high = max(high, highs.max())
            closest = min(closest, distances.min()).squareRoot()
            nearestFar = max(nearestFar, nearestFars.max())
            fine = SIMD2(Float(nearCounts.wrappedSum()), Float(farCounts.wrappedSum())) / Float(max(count, 1))
        }
    }
}

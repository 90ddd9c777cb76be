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
    /// Whether everything is in front of the focus and out of it, so that it hides what is behind.
    let isAllNear: [Bool]
    /// Whether a good part of the tile is blurred, but by less than `coarse`.
    let hasFineNear: [Bool]
    let hasFineFar: [Bool]

    /// Up to this radius in pixels of the picture, nothing is blurred.
    static let slight: Float = 0.75
    /// From this radius in layer pixels on, discs are drawn coarsely.
    static let coarse: Float = 5
    /// The same where the far layer's depth jumps and discs gather: coarse pixels cost less there than edges drawn wrong.
    static let gathered: Float = 4
    /// From this radius in layer pixels on, gathered discs are drawn broadly.
    static let broad: Float = 7

    private struct Tile {
        var near: Float = 0
        var far: Float = 0
        var farLeast: Float = 0
        var isAllFar = false
        var isAllBlurred = false
        var isAllNear = false
        /// Parts blurred slightly in front of and behind the focus.
        var fine = SIMD2<Float>.zero
    }

    init(geometry: LensGeometry, parameters: LensParameters, disparity: DisparityMap) {
        let (columns, rows) = (geometry.columns, geometry.rows)
        let focus = parameters.focus
        let perDisparity = max(parameters.radiusPerDisparity, 1e-6)
        let slight = Self.slight / perDisparity
        let whole = (Self.slight + 1) / perDisparity
        let large = Self.coarse * Float(geometry.scale) / perDisparity
        let limits = Limits(focus: focus, slight: slight, large: large)
        let spansX = (0..<columns).map { Self.span(of: $0, side: geometry.tileSide, size: geometry.width, map: geometry.mapWidth) }
        var tiles = [Tile](repeating: Tile(), count: columns * rows)
        tiles.withUnsafeMutableBufferPointer { tiles in
            nonisolated(unsafe) let tiles = tiles
            DispatchQueue.concurrentPerform(iterations: rows) { row in
                let lines = Self.span(of: row, side: geometry.tileSide, size: geometry.height, map: geometry.mapHeight)
                let plane = disparity.buffer.plane(0)
                var ranges = [Extremes](repeating: Extremes(), count: columns)
                // Line by line, as the map lies in memory.
                for line in lines {
                    let base = UnsafeRawPointer(plane.base + line * plane.bytesPerRow).assumingMemoryBound(to: Float.self)
                    for column in 0..<columns { ranges[column].add(base, spansX[column], limits) }
                    guard (line - lines.lowerBound) % 4 == 0 else { continue }
                    for column in 0..<columns { ranges[column].count(base, spansX[column], limits) }
                }
                for column in 0..<columns {
                    let range = ranges[column].joined
                    let nearest = (range.high - focus) * parameters.radiusPerDisparity
                    let farthest = (focus - range.low) * parameters.radiusPerDisparity
                    tiles[row * columns + column] = Tile(
                        near: nearest > Self.slight ? min(nearest, parameters.maxRadius) : 0,
                        far: farthest > Self.slight ? min(farthest, parameters.maxRadius) : 0,
                        farLeast: farthest > Self.slight ? min((focus - range.nearestFar) * parameters.radiusPerDisparity, parameters.maxRadius) : 0,
                        isAllFar: range.high < focus - large, isAllBlurred: range.closest > large,
                        isAllNear: range.low > focus + whole, fine: range.fine)
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
        isAllNear = tiles.map(\.isAllNear)
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

    /// The focus, and what is blurred slightly and largely, as disparities.
    private struct Limits {
        let focus: Float
        let slight: Float
        let large: Float
    }

    /// What the disparities of a tile reach, in eight parts and joined.
    private struct Extremes {
        private typealias Values = SIMD8<Float>
        private var lows = Values(repeating: .greatestFiniteMagnitude)
        private var highs = Values(repeating: -.greatestFiniteMagnitude)
        /// The squared distance from the focus of what is closest to it.
        private var distances = Values(repeating: .greatestFiniteMagnitude)
        /// The greatest that are slightly behind the focus.
        private var nearestFars = Values(repeating: -.greatestFiniteMagnitude)
        /// How many are slightly in front of the focus and behind it, but not largely, and of how many.
        private var nearCounts = SIMD8<Int32>.zero
        private var farCounts = SIMD8<Int32>.zero
        private var count: Int32 = 0

        /// What lies in `range` of a line.
        mutating func add(_ line: UnsafePointer<Float>, _ range: Range<Int>, _ limits: Limits) {
            Self.forEachEight(line, range) { values, _ in
                lows.replace(with: values, where: values .< lows)
                highs.replace(with: values, where: values .> highs)
                let apart = values - limits.focus
                distances.replace(with: apart * apart, where: apart * apart .< distances)
                nearestFars.replace(with: values, where: (values .> nearestFars) .& (apart .< -limits.slight))
            }
        }

        /// Counts what lies in `range` of a line.
        mutating func count(_ line: UnsafePointer<Float>, _ range: Range<Int>, _ limits: Limits) {
            Self.forEachEight(line, range) { values, ones in
                let apart = values - limits.focus
                nearCounts.replace(with: nearCounts &+ ones, where: (apart .> limits.slight) .& (apart .< limits.large))
                farCounts.replace(with: farCounts &+ ones, where: (apart .< -limits.slight) .& (apart .> -limits.large))
            }
            count += Int32(range.count)
        }

        /// Eight at a time; of the last where they are fewer, the first again, but to be counted once.
        @inline(__always)
        private static func forEachEight(_ line: UnsafePointer<Float>, _ range: Range<Int>, _ body: (Values, SIMD8<Int32>) -> Void) {
            var at = range.lowerBound
            while at + 8 <= range.upperBound {
                body(UnsafeRawPointer(line + at).loadUnaligned(as: Values.self), .one)
                at += 8
            }
            guard at < range.upperBound else { return }
            var (values, ones) = (Values(repeating: line[at]), SIMD8<Int32>.zero)
            for index in 0..<range.upperBound - at { (values[index], ones[index]) = (line[at + index], 1) }
            body(values, ones)
        }

        /// The least and the greatest, the distance of the closest from the focus, the greatest slightly behind it, and the parts blurred slightly.
        var joined: (low: Float, high: Float, closest: Float, nearestFar: Float, fine: SIMD2<Float>) {
            (
                lows.min(), highs.max(), distances.min().squareRoot(), nearestFars.max(),
                SIMD2(Float(nearCounts.wrappedSum()), Float(farCounts.wrappedSum())) / Float(max(count, 1))
            )
        }
    }
}

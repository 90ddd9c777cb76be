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
        var tiles = [Tile](repeating: Tile(), count: columns * rows)
        tiles.withUnsafeMutableBufferPointer { tiles in
            nonisolated(unsafe) let tiles = tiles
            DispatchQueue.concurrentPerform(iterations: rows) { row in
                let lines = Self.span(of: row, side: geometry.tileSide, size: geometry.height, map: geometry.mapHeight)
                let plane = disparity.buffer.plane(0)
                var ranges = [Extremes](repeating: Extremes(), count: columns)
                func line(_ y: Int) -> UnsafePointer<Float> { UnsafePointer(plane.row(y)) }
                // Line by line, as the map lies in memory.
                for y in lines { for column in 0..<columns { ranges[column].add(line(y), spansX[column], focus: focus, slight: slight) } }
                let coarseNear = (0..<columns).map { column in
                    ranges[column].mayLie(between: focus + Self.coarseNear * perLayerRadius, and: focus + largeFar)
                        && lights.hasLight(columns: geometry.surroundings(of: column), rows: geometry.surroundings(of: row))
                        ? Self.coarse : Self.coarseNear
                }
                for y in stride(from: lines.lowerBound, to: lines.upperBound, by: 4) {
                    for column in 0..<columns {
                        let largeNear = coarseNear[column] * perLayerRadius
                        ranges[column].count(line(y), spansX[column], focus: focus, slight: slight, near: largeNear, far: largeFar)
                    }
                }
                for column in 0..<columns {
                    let range = ranges[column].joined
                    let largeNear = coarseNear[column] * perLayerRadius
                    let nearest = (range.high - focus) * parameters.radiusPerDisparity
                    let farthest = (focus - range.low) * parameters.radiusPerDisparity
                    let leastFar = (focus - range.leastBlurredFar) * parameters.radiusPerDisparity
                    tiles[row * columns + column] = Tile(
                        near: nearest > Self.slight ? min(nearest, parameters.maxRadius) : 0,
                        far: farthest > Self.slight ? min(farthest, parameters.maxRadius) : 0,
                        farLeast: farthest > Self.slight ? min(leastFar, parameters.maxRadius) : 0,
                        coarseNear: coarseNear[column], isAllCoarseFar: range.high < focus - largeFar,
                        isAllCoarse: range.closestFar < focus - largeFar && range.closestNear > focus + largeNear,
                        isFullyNear: range.low > focus + whole, isFullyFar: range.high < focus - whole, fine: range.fine)
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

    /// Extreme disparities of a tile, in eight parts and joined.
    private struct Extremes {
        private typealias Values = SIMD8<Float>
        private var lows = Values(repeating: .greatestFiniteMagnitude)
        private var highs = Values(repeating: -.greatestFiniteMagnitude)
        /// Disparities closest to the focus, behind it and in front of it.
        private var closestFars = Values(repeating: -.greatestFiniteMagnitude)
        private var closestNears = Values(repeating: .greatestFiniteMagnitude)
        /// The closest to the focus of those that are blurred behind it.
        private var leastBlurredFars = Values(repeating: -.greatestFiniteMagnitude)
        /// Numbers of values that are slightly in front of the focus and behind it, but not largely, and of how many.
        private var nearCounts = SIMD8<Int32>.zero
        private var farCounts = SIMD8<Int32>.zero
        private var count: Int32 = 0

        /// Takes in the values in `range` of a line.
        mutating func add(_ line: UnsafePointer<Float>, _ range: Range<Int>, focus: Float, slight: Float) {
            var seen = self
            for (values, _) in Eights(line, range) {
                seen.lows.replace(with: values, where: values .< seen.lows)
                seen.highs.replace(with: values, where: values .> seen.highs)
                seen.closestFars.replace(with: values, where: (values .> seen.closestFars) .& (values .< focus))
                seen.closestNears.replace(with: values, where: (values .< seen.closestNears) .& (values .>= focus))
                seen.leastBlurredFars.replace(with: values, where: (values .> seen.leastBlurredFars) .& (values .< focus - slight))
            }
            self = seen
        }

        /// Whether something in front of the focus may be from the one disparity to the other.
        func mayLie(between low: Float, and high: Float) -> Bool { highs.max() >= low && closestNears.min() <= high }

        /// Counts what lies in `range` of a line and is blurred slightly: between `slight` and `near` in front of the focus, and `far` behind it.
        mutating func count(_ line: UnsafePointer<Float>, _ range: Range<Int>, focus: Float, slight: Float, near: Float, far: Float) {
            for (values, ones) in Eights(line, range) {
                let apart = values - focus
                nearCounts.replace(with: nearCounts &+ ones, where: (apart .> slight) .& (apart .< near))
                farCounts.replace(with: farCounts &+ ones, where: (apart .< -slight) .& (apart .> -far))
            }
            count += Int32(range.count)
        }

        /// The least and the greatest, what is closest to the focus on either side, of those the closest that is blurred behind it, and the parts blurred slightly.
        var joined: (low: Float, high: Float, closestFar: Float, closestNear: Float, leastBlurredFar: Float, fine: SIMD2<Float>) {
            (
                lows.min(), highs.max(), closestFars.max(), closestNears.min(), leastBlurredFars.max(),
                SIMD2(Float(nearCounts.wrappedSum()), Float(farCounts.wrappedSum())) / Float(max(count, 1))
            )
        }
    }

    /// Values in a range of a line, eight at a time; of the last where they are fewer, the first again, but to be counted once.
    private struct Eights: Sequence, IteratorProtocol {
        private let line: UnsafePointer<Float>
        private let end: Int
        private var at: Int

        init(_ line: UnsafePointer<Float>, _ range: Range<Int>) { (self.line, end, at) = (line, range.upperBound, range.lowerBound) }

        @inline(__always)
        mutating func next() -> (values: SIMD8<Float>, ones: SIMD8<Int32>)? {
            guard at < end else { return nil }
            defer { at += 8 }
            guard at + 8 > end else { return (UnsafeRawPointer(line + at).loadUnaligned(as: SIMD8<Float>.self), .one) }
            var (values, ones) = (SIMD8<Float>(repeating: line[at]), SIMD8<Int32>.zero)
            for index in 0..<end - at { (values[index], ones[index]) = (line[at + index], 1) }
            return (values, ones)
        }
    }
}

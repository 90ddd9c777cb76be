internal import CLensKernels
import CoreVideo

extension TileRadii {
    /// Extreme disparities of a tile.
    struct Extremes {
        private let found: rf_tile_extremes
        var low: Float { found.low }
        var high: Float { found.high }
        /// Closest to the focus behind it, and in front of it or in it.
        var closestFar: Float { found.closest_far }
        var closestNear: Float { found.closest_near }
        /// Closest to the focus of those that are blurred behind it.
        var leastBlurredFar: Float { found.least_blurred_far }

        /// Extremes of the tiles in lines of a map, each in the columns from one of `ends` up to the next. Blurred is what is more than `slight` from the
        /// focus.
        static func tiles(in map: CVBuffer.Plane, _ lines: Range<Int>, _ ends: [Int32], focus: Float, slight: Float) -> [Extremes] {
            let tiles = withUnsafeTemporaryAllocation(of: Float.self, capacity: 5 * map.width) { scratch in
                [rf_tile_extremes](unsafeUninitializedCapacity: ends.count / 2) { tiles, count in
                    count = ends.count / 2
                    rf_find_tile_extremes(
                        map.row(lines.lowerBound), map.bytesPerRow / MemoryLayout<Float>.stride, Int32(map.width), Int32(lines.count), ends,
                        Int32(count), focus, slight, scratch.baseAddress, tiles.baseAddress)
                }
            }
            return tiles.map { Extremes(found: $0) }
        }

        /// Shares, in every fourth of some lines of a map, of what lies from `slight` to `near` in front of the focus, and to `far` behind it.
        static func shares(
            in map: CVBuffer.Plane, _ lines: Range<Int>, _ columns: Range<Int>, focus: Float, slight: Float, near: Float, far: Float
        ) -> SIMD2<Float> {
            let (first, count) = (map.row(lines.lowerBound, as: Float.self) + columns.lowerBound, (lines.count + 3) / 4)
            var (inFront, behind): (Int32, Int32) = (0, 0)
            rf_count_slightly_blurred(
                first, 4 * map.bytesPerRow / MemoryLayout<Float>.stride, Int32(columns.count), Int32(count), focus, slight, near, far, &inFront,
                &behind)
            return SIMD2(Float(inFront), Float(behind)) / Float(max(columns.count * count, 1))
        }
    }
}

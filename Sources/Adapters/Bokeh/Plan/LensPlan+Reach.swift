/// Reach of blur over tiles: the radii that `LensPlan` is made of, one of each for a tile.
///
/// | radius | of |
/// |---|---|
/// | `radii.near`, `radii.far` | the largest disc of what the tile itself shows in front of, behind the focus; pixels of the picture |
/// | `radii.farLeast` | its smallest blurred disc behind the focus; pixels of the picture |
/// | `nearReach` | the largest near disc that can reach the tile (`dilatedNear`); pixels of the picture |
/// | `farBehind` | `radii.far`, guessed where something in front hides it (`farBehindNear`); pixels of the picture |
/// | `nearRadius`, `farRadius` | the disc passes' own: `nearReach` and `farBehind` in layer pixels, far 0 where the tile is covered |
extension LensPlan {
    /// `nearReach`: the largest near radius whose disc can reach each tile, and whether a small one can.
    static func dilatedNear(_ radii: TileRadii, scale: Int) -> (radius: [Float], isFine: [Bool]) {
        var (result, isFine) = (radii.near, radii.hasFineNear)
        for tile in result.indices where radii.near[tile] > 0 {
            let around = around(tile, radii, reach: radii.near[tile], scale: scale)
            for row in around.rows {
                for other in around.columns.map({ row * radii.columns + $0 }) {
                    result[other] = max(result[other], radii.near[tile])
                    isFine[other] = isFine[other] || radii.hasFineNear[tile]
                }
            }
        }
        return (result, isFine)
    }

    /// `farBehind`: far radii, those of hidden tiles guessed from the nearest ones that show what is behind.
    static func farBehindNear(_ radii: TileRadii) -> [Float] {
        let (columns, rows) = (radii.columns, radii.rows)
        var (known, guessed) = (radii.far, radii.far)
        var frontier = known.indices.filter { known[$0] > 0 }
        while !frontier.isEmpty {
            var next: [Int] = []
            for tile in frontier {
                forEachNeighbour(of: tile, columns, rows) { other in
                    guard known[other] == 0, radii.near[other] > 0 else { return }
                    if guessed[other] == 0 { next.append(other) }
                    guessed[other] = max(guessed[other], known[tile])
                }
            }
            for tile in next { known[tile] = guessed[tile] }
            frontier = next
        }
        var result = known
        for tile in known.indices where radii.near[tile] > 0 {
            forEachNeighbour(of: tile, columns, rows) { result[tile] = max(result[tile], known[$0]) }
        }
        return result
    }

    /// Tiles with large discs that a jump of the far layer's radius lies in or is within the reach of.
    static func besideJumps(_ radii: TileRadii, scale: Int, farRadius: [Float]) -> [Bool] {
        let (columns, rows) = (radii.columns, radii.rows)
        let jump = 1.5 * Float(scale)
        var result = [Bool](repeating: false, count: columns * rows)
        for tile in result.indices where radii.far[tile] > 0 {
            let (low, high) = (radii.farLeast[tile], radii.far[tile])
            var (least, largest, isBeside) = (Float.infinity, high, false)
            forEachNeighbour(of: tile, columns, rows) { other in
                guard other != tile, radii.far[other] > 0 else { return }
                least = min(least, radii.far[other] - radii.farLeast[other])
                largest = max(largest, radii.far[other])
                isBeside = isBeside || max(radii.farLeast[other] - high, low - radii.far[other]) > jump
            }
            // A slanted plane's radii differ as much in the tiles around.
            guard isBeside || high - low > jump + 2 * least else { continue }
            let reach = Int((largest / Float(LensGeometry.tile * scale)).rounded(.up))
            forEachNeighbour(of: tile, columns, rows, within: reach) { if farRadius[$0] >= TileRadii.gathered { result[$0] = true } }
        }
        return result
    }

    /// Tiles so deep in what is in front that discs there find nothing else: of what is behind, nothing is seen.
    static func covered(_ radii: TileRadii, scale: Int) -> [Bool] {
        radii.isFullyNear.indices.map { tile in
            guard radii.isFullyNear[tile] else { return false }
            let around = around(tile, radii, reach: radii.near[tile], scale: scale)
            return around.rows.allSatisfy { row in around.columns.allSatisfy { radii.isFullyNear[row * radii.columns + $0] } }
        }
    }

    /// Covered tiles that no disc beside a silhouette reaches either: the near layer alone makes them.
    static func opaque(_ isCovered: [Bool], _ radii: TileRadii, scale: Int, farBehind: [Float]) -> [Bool] {
        var result = isCovered
        guard isCovered.contains(true) else { return result }
        for tile in result.indices where !isCovered[tile] {
            let around = around(tile, radii, reach: farBehind[tile], scale: scale)
            for row in around.rows { for column in around.columns { result[row * radii.columns + column] = false } }
        }
        return result
    }

    /// The tiles within `reach` pixels of the picture, and what passes read beyond.
    static func around(_ tile: Int, _ radii: TileRadii, reach: Float, scale: Int) -> (rows: ClosedRange<Int>, columns: ClosedRange<Int>) {
        let tiles = Int(((reach + Float(3 * scale)) / Float(LensGeometry.tile * scale)).rounded(.up))
        let (x, y) = (tile % radii.columns, tile / radii.columns)
        return (max(y - tiles, 0)...min(y + tiles, radii.rows - 1), max(x - tiles, 0)...min(x + tiles, radii.columns - 1))
    }

    static func dilate(_ marked: [Bool], columns: Int, rows: Int) -> [Bool] {
        var result = marked
        for tile in marked.indices where marked[tile] { forEachNeighbour(of: tile, columns, rows) { result[$0] = true } }
        return result
    }

    /// Itself, and those up to `reach` away each way.
    @inline(__always)
    static func forEachNeighbour(of tile: Int, _ columns: Int, _ rows: Int, within reach: Int = 1, _ body: (Int) -> Void) {
        let (x, y) = (tile % columns, tile / columns)
        for row in max(y - reach, 0)...min(y + reach, rows - 1) {
            for column in max(x - reach, 0)...min(x + reach, columns - 1) { body(row * columns + column) }
        }
    }
}

/// Which tiles each pass of one frame has to visit; what lies in no list costs nothing.
struct LensPlan {
    /// Largest radius in layer pixels of each disc pipeline; the first clears.
    static let buckets = [0, 2, 4, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32]
    /// Up to this bucket discs have fractional edges.
    static let lastExactBucket = 3
    /// What shrinking and interpolating the layers already blur, as a squared radius in layer pixels; discs are smaller by it.
    static let resampling: Float = 1

    /// Tiles as x | y << 16, list after list.
    private(set) var tiles: [UInt32] = []
    /// Tiles that the blurred near layer reaches.
    private(set) var reached: Range<Int> = 0..<0
    /// Tiles with blur, but none from the near layer.
    private(set) var behind: Range<Int> = 0..<0
    /// Every tile the near layer does not reach.
    private(set) var unreached: Range<Int> = 0..<0
    /// Not tiles: one word for each, row after row, 1 where the near layer reaches.
    private(set) var reachedFlags: Range<Int> = 0..<0
    /// Tiles of each bucket, for the far and the near layer.
    private(set) var farDiscs: [Range<Int>] = []
    private(set) var nearDiscs: [Range<Int>] = []
    let columns: Int
    let rows: Int
    /// Whether anything blurred reaches the tile.
    private(set) var isTouched: [Bool]
    /// Index into `buckets` of each tile, -1 where no disc pass goes.
    private(set) var farBucket: [Int]
    private(set) var nearBucket: [Int]

    var hasNear: Bool { !reached.isEmpty }
    var hasBlur: Bool { hasNear || !behind.isEmpty }

    init(radii: TileRadii, scale: Int) {
        columns = radii.columns
        rows = radii.rows
        let count = columns * rows
        let near = Self.spread(radii, scale: scale)
        let far = Self.farBehindNear(radii)
        isTouched = (0..<count).map { near[$0] > 0 || radii.far[$0] > 0 }
        let touched = isTouched
        let besideTouched = Self.dilate(touched, columns: columns, rows: rows)
        let besideReached = Self.dilate(near.map { $0 > 0 }, columns: columns, rows: rows)
        func bucket(_ radius: Float, visited: Bool) -> Int {
            guard radius > 0 else { return visited ? 0 : -1 }
            let disc = Self.disc(radius / Float(scale))
            return Self.buckets.indices.first { Self.reach(ofBucket: $0) >= disc } ?? Self.buckets.count - 1
        }
        farBucket = (0..<count).map { bucket(far[$0], visited: besideTouched[$0]) }
        nearBucket = (0..<count).map { bucket(near[$0], visited: besideReached[$0]) }
        reached = list { near[$0] > 0 }
        behind = list { touched[$0] && near[$0] == 0 }
        unreached = list { near[$0] == 0 }
        reachedFlags = tiles.count..<tiles.count + count
        tiles += near.map { $0 > 0 ? 1 : 0 }
        let (farBucket, nearBucket) = (farBucket, nearBucket)
        for index in Self.buckets.indices {
            farDiscs.append(list { farBucket[$0] == index })
            nearDiscs.append(list { nearBucket[$0] == index })
        }
    }

    /// The disc that draws a blur of `radius`, both in layer pixels.
    static func disc(_ radius: Float) -> Float { max(radius * radius - resampling, 0.25).squareRoot() }

    /// The largest disc a bucket draws: one of whole pixels has no row beyond its radius.
    static func reach(ofBucket bucket: Int) -> Float { Float(buckets[bucket]) + (bucket <= lastExactBucket ? 0 : 0.99) }

    private mutating func list(_ belongs: (Int) -> Bool) -> Range<Int> {
        let first = tiles.count
        for tile in 0..<columns * rows where belongs(tile) { tiles.append(UInt32(tile % columns) | UInt32(tile / columns) << 16) }
        return first..<tiles.count
    }

    /// The largest near radius whose disc can reach each tile.
    private static func spread(_ radii: TileRadii, scale: Int) -> [Float] {
        var result = radii.near
        let side = Float(LensGeometry.tile * scale)
        for y in 0..<radii.rows {
            for x in 0..<radii.columns {
                let radius = radii.near[y * radii.columns + x]
                guard radius > 0 else { continue }
                let reach = Int(((radius + Float(3 * scale)) / side).rounded(.up))
                for row in max(y - reach, 0)...min(y + reach, radii.rows - 1) {
                    for column in max(x - reach, 0)...min(x + reach, radii.columns - 1) {
                        let tile = row * radii.columns + column
                        result[tile] = max(result[tile], radius)
                    }
                }
            }
        }
        return result
    }

    /// Far radii, those of hidden tiles guessed from the nearest ones that show what is behind.
    private static func farBehindNear(_ radii: TileRadii) -> [Float] {
        let (columns, rows) = (radii.columns, radii.rows)
        var known = radii.far
        var frontier = known.indices.filter { known[$0] > 0 }
        while !frontier.isEmpty {
            var next: [Int: Float] = [:]
            for tile in frontier {
                forEachNeighbour(of: tile, columns, rows) { other in
                    guard known[other] == 0, radii.near[other] > 0 else { return }
                    next[other] = max(next[other] ?? 0, known[tile])
                }
            }
            frontier = next.keys.sorted()
            for tile in frontier { known[tile] = next[tile]! }
        }
        var result = known
        for tile in known.indices where radii.near[tile] > 0 {
            forEachNeighbour(of: tile, columns, rows) { result[tile] = max(result[tile], known[$0]) }
        }
        return result
    }

    private static func dilate(_ marked: [Bool], columns: Int, rows: Int) -> [Bool] {
        var result = marked
        for tile in marked.indices where marked[tile] { forEachNeighbour(of: tile, columns, rows) { result[$0] = true } }
        return result
    }

    private static func forEachNeighbour(of tile: Int, _ columns: Int, _ rows: Int, _ body: (Int) -> Void) {
        let (x, y) = (tile % columns, tile / columns)
        for row in max(y - 1, 0)...min(y + 1, rows - 1) {
            for column in max(x - 1, 0)...min(x + 1, columns - 1) { body(row * columns + column) }
        }
    }
}

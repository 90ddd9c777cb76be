/// Blocks of 2 × 2 tiles in which discs are gathered broadly, one value for 4 × 4 layer pixels: tiles drawn so read values of those around.
struct BroadBlocks {
    let columns: Int
    let rows: Int
    private let tileColumns: Int
    /// By tile: whether it is drawn broadly.
    let isBroad: [Bool]
    /// By block: whether it is gathered, and whether it is gathered from.
    let isDrawn: [Bool]
    let isRead: [Bool]
    /// By block: the largest radius of its tiles, in halves of a pixel of 4 × 4, as the passes read it.
    let radius: [Float]

    /// Of the tiles `isWanted`, those whose discs reach only tiles that `canRead` allows; `radius` of tiles in layer pixels.
    init(_ isWanted: [Bool], radius: [Float], canRead: [Bool], columns tileColumns: Int, rows tileRows: Int) {
        let (columns, rows) = ((tileColumns + 1) / 2, (tileRows + 1) / 2)
        func block(_ tile: Int) -> Int { Self.block(tile, tileColumns) }
        var largest = [Float](repeating: 0, count: columns * rows)
        var isOpen = [Bool](repeating: true, count: columns * rows)
        for tile in isWanted.indices {
            // A tile in focus beside blur has the blur's radius: it is asked for the colour nearby.
            LensPlan.forEachNeighbour(of: tile, tileColumns, tileRows) { largest[block($0)] = max(largest[block($0)], radius[tile]) }
            isOpen[block(tile)] = isOpen[block(tile)] && canRead[tile]
        }
        func forEachRead(from block: Int, _ body: (Int) -> Void) {
            let side = 2 * LensGeometry.tile
            // Three pixels of 4 × 4 more: between values, for a disc's soft edge, and around what each is made from.
            let reach = (Int(largest[block].rounded(.up)) + 12 + side - 1) / side
            LensPlan.forEachNeighbour(of: block, columns, rows, within: reach, body)
        }
        let canDraw = largest.indices.map { block in
            var canDraw = true
            forEachRead(from: block) { canDraw = canDraw && isOpen[$0] }
            return canDraw
        }
        var (isBroad, isDrawn, isRead) = (isWanted, isOpen.map { _ in false }, isOpen.map { _ in false })
        for tile in isBroad.indices where isBroad[tile] {
            LensPlan.forEachNeighbour(of: tile, tileColumns, tileRows) { isBroad[tile] = isBroad[tile] && canDraw[block($0)] }
        }
        for tile in isBroad.indices where isBroad[tile] {
            LensPlan.forEachNeighbour(of: tile, tileColumns, tileRows) { isDrawn[block($0)] = true }
        }
        for block in isDrawn.indices where isDrawn[block] { forEachRead(from: block) { isRead[$0] = true } }
        (self.tileColumns, self.columns, self.rows) = (tileColumns, columns, rows)
        self.isBroad = isBroad
        self.isDrawn = isDrawn
        self.isRead = isRead
        self.radius = largest.map { ($0 * LensPlan.radiusSteps / 2).rounded(.up) / LensPlan.radiusSteps }
    }

    /// Whether a tile is gathered from.
    func reads(_ tile: Int) -> Bool { isRead[Self.block(tile, tileColumns)] }

    private static func block(_ tile: Int, _ tileColumns: Int) -> Int { tile / tileColumns / 2 * ((tileColumns + 1) / 2) + tile % tileColumns / 2 }
}

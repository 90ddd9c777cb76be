/// Lists of the tiles that each pass of one frame visits; a tile in no list costs nothing. Tiles are classified as in McGuire et al. 2012 and Jimenez
/// 2014, by the largest radius within reach; sets of tiles are made in `LensPlan+Reach.swift`.
///
/// Blur of at least `TileRadii.coarse` (`TileRadii.coarseNear` in front of the focus, away from lights) is drawn coarsely, one value for 2 × 2
/// layer pixels, and upsampled to layer size where something finer lies beside it. Where the far layer's depth jumps, as from something blurred to a
/// wall behind it, neighbours are gathered instead; broadly, one value for 4 × 4 layer pixels, where all discs are large and there is no light
/// (`BroadBlocks`). Tiles that are far out of focus everywhere, with nothing in front of them, go from setup to picture by the coarse
/// layer alone. Opaque tiles lie so deep inside something near that nothing it hides there is seen anywhere: for them the near layer takes the far
/// one's place.
struct LensPlan {
    /// Blur that shrinking and interpolating the layers make already, as a squared radius in layer pixels; discs are smaller by it.
    static let resampling: Float = 1
    static let coarseResampling: Float = 2.5
    /// The same where one value is made for 4 × 4 layer pixels, in halves of such a pixel.
    static let broadResampling: Float = 9
    /// Additional blur in height of the sums over pairs of rows.
    static let rowResampling: Float = 1
    /// Steps of a tile's radius in a layer pixel.
    static let radiusSteps: Float = 64

    /// First one word for each tile, row after row: 1 where something is in front, + 2 where the fill starts from, never in opaque tiles. Then
    /// lists, one after another, of tiles as x | y << 8 | radius << 16, the radius of the blur in 64ths of a layer pixel where a disc pass goes,
    /// and of runs of tiles in a row, which begin at (x, y), with their count in the radius's place. A coordinate fits, as no picture is larger than
    /// 8192 pixels each way; `tile.glsl` takes the words apart.
    private(set) var tiles: [UInt32] = []
    /// For setup: tiles that are far out of focus everywhere, where no fill starts.
    private(set) var farWithoutFill: Range<Int> = 0..<0
    /// For setup: other tiles that are out of focus behind it everywhere, where no fill starts.
    private(set) var wholeWithoutFill: Range<Int> = 0..<0
    /// For setup: other tiles that a pass reads, where no fill starts.
    private(set) var mixedWithoutFill: Range<Int> = 0..<0
    /// For setup: tiles that are far out of focus everywhere, from which the fill starts.
    private(set) var farWithFill: Range<Int> = 0..<0
    /// For setup: other tiles that are out of focus behind it everywhere, from which the fill starts.
    private(set) var wholeWithFill: Range<Int> = 0..<0
    /// For setup: other tiles without anything in front, from which the fill starts.
    private(set) var mixedWithFill: Range<Int> = 0..<0
    /// For setup: tiles with something in front, from which the fill starts.
    private(set) var inFront: Range<Int> = 0..<0
    /// Opaque tiles beside the fill, which knows nothing there.
    private(set) var fillUnknown: Range<Int> = 0..<0
    /// All tiles that the fill reads: `farWithFill`, `wholeWithFill`, `mixedWithFill`, `inFront` and `fillUnknown`, which follow each other.
    private(set) var withFill: Range<Int> = 0..<0
    /// For setup: opaque tiles that are blurred coarsely everywhere.
    private(set) var opaqueUniform: Range<Int> = 0..<0
    /// For setup: other opaque tiles.
    private(set) var opaqueMixed: Range<Int> = 0..<0
    /// Tiles that the blurred near layer reaches: without anything in front, then with.
    private(set) var reached: [Range<Int>] = []
    /// Coarse pixels that are finished as such, and the tiles beside, by kind.
    private(set) var coarseFinished: [Finished] = []
    /// Tiles finished from coarse pixels.
    private(set) var uniformCoarse = Finished()
    /// Other tiles with blur, by kind.
    private(set) var mixedResolution: [Finished] = []
    /// Tiles without blur, where those are drawn too.
    private(set) var sharp: Range<Int> = 0..<0
    private(set) var far = Discs()
    private(set) var near = Discs()
    private let isRound: Bool
    let columns: Int
    let rows: Int
    /// Whether anything blurred is seen in the tile.
    private(set) var showsBlur: [Bool]
    /// Whether the tile is drawn: because something blurred is seen in it, or because all are.
    private(set) var isDrawn: [Bool]
    /// Whether the blurred near layer reaches the tile.
    private(set) var isNearReached: [Bool]
    private(set) var isUniformCoarse: [Bool]

    /// A list of tiles to be finished: first those that nothing white reaches, then the others (`TileLights.isReached`). Of mixed resolution those that
    /// the far layer makes whole, with nothing sharp and nothing in front, are apart, at either end.
    struct Finished {
        fileprivate(set) var unlitWhole: Range<Int> = 0..<0
        fileprivate(set) var unlit: Range<Int> = 0..<0
        fileprivate(set) var lit: Range<Int> = 0..<0
        fileprivate(set) var litWhole: Range<Int> = 0..<0
        var all: Range<Int> { unlitWhole.lowerBound..<litWhole.upperBound }
    }

    /// Lists for the blur of one layer.
    struct Discs {
        /// Tiles of each of `DiscBuckets` drawn at layer size, and coarsely.
        fileprivate(set) var fine: [Range<Int>] = []
        fileprivate(set) var coarse: [Range<Int>] = []
        /// Tiles that are gathered from, those that are gathered, and those of them whose pixels with smaller discs are drawn at layer size.
        fileprivate(set) var sources: Range<Int> = 0..<0
        fileprivate(set) var gathered: Range<Int> = 0..<0
        fileprivate(set) var blended: Range<Int> = 0..<0
        /// Blocks that are gathered from, and those that are gathered; the tiles that are made from them.
        fileprivate(set) var broadSources: Range<Int> = 0..<0
        fileprivate(set) var broad: Range<Int> = 0..<0
        fileprivate(set) var upsampledBroad: Range<Int> = 0..<0
        /// Runs of tiles that are summed for discs at layer size other than small ones (`DiscBuckets.isDirect`), and for coarse ones.
        fileprivate(set) var fineRuns: Range<Int> = 0..<0
        fileprivate(set) var coarseRuns: Range<Int> = 0..<0
        /// Coarse tiles that are wanted at layer size too.
        fileprivate(set) var upsampled: Range<Int> = 0..<0
        /// Whether the passes may read the tile.
        fileprivate(set) var isRead: [Bool] = []
        /// Index into `DiscBuckets` of each tile: 0 clears it, -1 where no pass goes.
        fileprivate(set) var fineBucket: [Int] = []
        fileprivate(set) var coarseBucket: [Int] = []
        /// Whether the tile is gathered coarsely; what is gathered broadly is in `blocks`.
        fileprivate(set) var isGathered: [Bool] = []
        /// Nil where nothing is gathered.
        fileprivate(set) var blocks: BroadBlocks?
        fileprivate(set) var isUpsampled: [Bool] = []
        fileprivate(set) var isBlended: [Bool] = []
        /// Radius of each tile in layer pixels, as the passes read it.
        fileprivate(set) var radius: [Float] = []
    }

    var hasNear: Bool { isNearReached.contains(true) }
    /// Whether what something in front hides has to be filled.
    var hasHidden: Bool { !inFront.isEmpty }
    func discs(_ layer: LensBuffer.Layer) -> Discs { layer == .far ? far : near }
    /// Whether anything white reaches a tile that is finished.
    var hasLit: Bool { !uniformCoarse.lit.isEmpty || mixedResolution.contains { !$0.lit.isEmpty || !$0.litWhole.isEmpty } }
    var drawsAnything: Bool { isDrawn.contains(true) }

    /// `isRound`: the opening is, which gathering wants. `lights`: where something is white, nil for nowhere. `drawsSharp`: tiles
    /// without blur are drawn too. `marksEverything` leaves no tile out of any pass that might draw it, so that the lists can be checked: how finely each tile is
    /// drawn stays the same.
    init(radii: TileRadii, scale: Int, isRound: Bool, lights: TileLights? = nil, drawsSharp: Bool = false, marksEverything: Bool = false) {
        self.isRound = isRound
        columns = radii.columns
        rows = radii.rows
        let (columns, rows) = (radii.columns, radii.rows)
        let count = columns * rows
        func dilate(_ marked: [Bool]) -> [Bool] { Self.dilate(marked, columns: columns, rows: rows) }
        let (nearReach, isReachedByFineNear) = Self.dilatedNear(radii, scale: scale)
        let farBehind = Self.farBehindNear(radii)
        let isCovered = Self.covered(radii, scale: scale)
        let isOpaque = marksEverything ? isCovered.map { _ in false } : Self.opaque(isCovered, radii, scale: scale, farBehind: farBehind)
        let nearRadius = nearReach.map { $0 / Float(scale) }
        let farRadius = (0..<count).map { isCovered[$0] ? 0 : farBehind[$0] / Float(scale) }
        let isCoarseNear = (0..<count).map { nearRadius[$0] >= radii.coarseNear[$0] && !isReachedByFineNear[$0] }
        let isCoarseFar = (0..<count).map { farRadius[$0] >= TileRadii.coarse && !radii.hasFineFar[$0] }
        let isNearReached = nearRadius.map { $0 > 0 || marksEverything }
        let showsBlur = (0..<count).map { isNearReached[$0] || radii.far[$0] > 0 }
        let isUniformCoarse = (0..<count).map {
            !marksEverything && radii.isAllCoarse[$0] && (isCoarseNear[$0] || !isNearReached[$0]) && (isCoarseFar[$0] || farRadius[$0] == 0)
        }
        self.showsBlur = showsBlur
        isDrawn = showsBlur.map { $0 || drawsSharp }
        self.isNearReached = isNearReached
        self.isUniformCoarse = isUniformCoarse
        let isInFront = radii.near.map { $0 > 0 || marksEverything }
        let isAllCoarseFar = radii.isAllCoarseFar.map { $0 && !marksEverything }
        let isWhole = (0..<count).map { radii.isFullyFar[$0] && !isAllCoarseFar[$0] && !marksEverything }
        let startsFill = dilate(isNearReached)
        let isBesideOther = dilate(isOpaque.map(!))
        let kinds: [TileKind] = (0..<count).map { isOpaque[$0] ? .opaque : isInFront[$0] ? .inFront : isNearReached[$0] ? .reached : .unreached }
        tiles = kinds.indices.map { (isInFront[$0] ? 1 : 0) + (startsFill[$0] && !isOpaque[$0] ? 2 : 0) }
        let isGathered = isRound ? Self.besideJumps(radii, scale: scale, farRadius: farRadius) : [Bool](repeating: false, count: count)
        let isBesideBlur = dilate(showsBlur)
        let none = [Bool](repeating: false, count: count)
        var blocks: BroadBlocks?
        if isGathered.contains(true) {
            // One value cannot stand for what is blurred little and much, nor for nothing, nor for a light.
            let isBroad = (0..<count).map {
                !isCovered[$0] && (radii.far[$0] == 0 || radii.farLeast[$0] >= TileRadii.broad * Float(scale)) && lights?.hasLight[$0] != true
            }
            blocks = BroadBlocks(
                (0..<count).map { isGathered[$0] && radii.far[$0] > 0 }, radius: farRadius, canRead: isBroad, columns: columns, rows: rows)
        }
        far = discs(
            farRadius, isCoarse: isCoarseFar, isGathered, blocks,
            isVisited: (0..<count).map { isBesideBlur[$0] && (!isOpaque[$0] || isBesideOther[$0]) }, hasOutside: isCovered.map(!))
        near = discs(nearRadius, isCoarse: isCoarseNear, none, nil, isVisited: startsFill, hasOutside: none)
        // Row sums of the near layer leave tiles out whose word says that nothing is in front: those need no setup.
        let isRead = far.isRead
        farWithoutFill = list { isAllCoarseFar[$0] && !startsFill[$0] }
        wholeWithoutFill = list { isWhole[$0] && !startsFill[$0] }
        mixedWithoutFill = list { !isAllCoarseFar[$0] && !isWhole[$0] && !startsFill[$0] && (showsBlur[$0] || isRead[$0]) }
        let fillStart = tiles.count
        farWithFill = list { isAllCoarseFar[$0] && startsFill[$0] }
        wholeWithFill = list { isWhole[$0] && startsFill[$0] }
        mixedWithFill = list { !isAllCoarseFar[$0] && !isWhole[$0] && startsFill[$0] && !isInFront[$0] }
        inFront = list { kinds[$0] == .inFront }
        fillUnknown = list { isOpaque[$0] && isBesideOther[$0] }
        withFill = fillStart..<tiles.count
        opaqueUniform = list { isOpaque[$0] && isUniformCoarse[$0] }
        opaqueMixed = list { isOpaque[$0] && !isUniformCoarse[$0] }
        reached = [TileKind.reached, .inFront].map { kind in list { kinds[$0] == kind } }
        let isCoarseFinished = dilate(isUniformCoarse)
        let isLit = lights?.isReached ?? none
        let isBesideLit = dilate(isLit)
        coarseFinished = TileKind.allCases.map { kind in finished(isBesideLit) { isCoarseFinished[$0] && kinds[$0] == kind } }
        uniformCoarse = finished(isLit) { isUniformCoarse[$0] }
        mixedResolution = TileKind.allCases.map { kind in
            finished(isLit, whole: (0..<count).map { kinds[$0] == .opaque || kinds[$0] == .unreached && isWhole[$0] }) {
                showsBlur[$0] && !isUniformCoarse[$0] && kinds[$0] == kind
            }
        }
        sharp = list { drawsSharp && !showsBlur[$0] }
    }

    /// The tile of a layer pixel.
    func tile(_ x: Int, _ y: Int) -> Int { y / LensGeometry.tile * columns + x / LensGeometry.tile }

    /// The disc that draws a blur of `radius`, both in layer pixels.
    static func disc(_ radius: Float, coarse: Bool) -> Float {
        coarse ? max(radius * radius - coarseResampling, 2).squareRoot() : max(radius * radius - resampling, 0.25).squareRoot()
    }

    /// The disc that draws a blur of `radius` broadly, both in halves of 4 layer pixels.
    static func broadDisc(_ radius: Float) -> Float { max(radius * radius - broadResampling, 2).squareRoot() }

    /// `isGathered`: coarsely or broadly. `hasOutside`: coarse blur is also sampled where this layer is empty, for its colour nearby.
    private mutating func discs(
        _ radius: [Float], isCoarse: [Bool], _ isGathered: [Bool], _ blocks: BroadBlocks?, isVisited: [Bool], hasOutside: [Bool]
    ) -> Discs {
        let indices = radius.indices
        func neighbours(_ tile: Int, _ body: (Int) -> Void) { Self.forEachNeighbour(of: tile, columns, rows, body) }
        var (wantsCoarse, isUpsampled, radius) = (isUniformCoarse, [Bool](repeating: false, count: indices.count), radius)
        for tile in indices where isCoarse[tile] || isUniformCoarse[tile] || isGathered[tile] {
            neighbours(tile) {
                wantsCoarse[$0] = true
                if isCoarse[tile] && !isUniformCoarse[$0] { isUpsampled[tile] = true }
            }
        }
        // Negative: no blur of its own; coarse discs alone use it, for the colour nearby.
        for tile in indices where wantsCoarse[tile] && radius[tile] == 0 && hasOutside[tile] {
            var largest: Float = 0
            neighbours(tile) { if isCoarse[$0] { largest = max(largest, radius[$0]) } }
            radius[tile] = -largest
        }
        var result = Discs()
        result.radius = radius.map { (abs($0) * Self.radiusSteps).rounded(.up) / Self.radiusSteps }
        result.isUpsampled = isUpsampled
        result.isBlended = indices.map { isGathered[$0] && !isCoarse[$0] && isVisited[$0] }
        result.blocks = blocks
        result.isGathered = indices.map { isGathered[$0] && blocks?.isBroad[$0] != true }
        let (fine, coarse) = (DiscBuckets.fine, DiscBuckets.coarse)
        result.fineBucket = indices.map { isCoarse[$0] || !isVisited[$0] ? -1 : fine.bucket(radius[$0], isRound: isRound) }
        result.coarseBucket = indices.map {
            wantsCoarse[$0] && isVisited[$0] && !isGathered[$0] ? coarse.bucket(abs(radius[$0]), isRound: isRound) : -1
        }
        result.fine = lists(result.radius, byBucket: result.fineBucket, count: fine.radii.count)
        result.coarse = lists(result.radius, byBucket: result.coarseBucket, count: coarse.radii.count)
        result.gathered = list(result.radius) { result.isGathered[$0] }
        if let blocks {
            result.broadSources = list(columns: blocks.columns, rows: blocks.rows) { blocks.isRead[$0] }
            result.broad = list(blocks.radius, columns: blocks.columns, rows: blocks.rows) { blocks.isDrawn[$0] }
            result.upsampledBroad = list { blocks.isBroad[$0] }
        }
        result.upsampled = list { isUpsampled[$0] }
        result.blended = list { result.isBlended[$0] }
        let isReadByFine = read { result.fineBucket[$0] > 0 ? fine.reach(result.fineBucket[$0], isRound: isRound) : 0 }
        let isSummedForFine = read {
            let bucket = result.fineBucket[$0]
            return bucket > 0 && !fine.isDirect(bucket, isRound: isRound) ? fine.reach(bucket, isRound: isRound) : 0
        }
        let isReadByCoarse = read { result.coarseBucket[$0] > 0 ? coarse.reach(result.coarseBucket[$0], isRound: isRound) : 0 }
        let isReadByGather = read { result.isGathered[$0] ? result.radius[$0] : 0 }
        let isSource = indices.map { isReadByGather[$0] || blocks?.reads($0) == true }
        result.fineRuns = runs(isSummedForFine)
        result.coarseRuns = runs(isReadByCoarse)
        result.sources = list { isSource[$0] }
        result.isRead = indices.map { isReadByFine[$0] || isReadByCoarse[$0] || isSource[$0] }
        return result
    }

    /// The tiles that discs read, of the tiles in whose largest radius in layer pixels is more than 0.
    private func read(_ radius: (Int) -> Float) -> [Bool] {
        var isRead = [Bool](repeating: false, count: columns * rows)
        for tile in isRead.indices {
            let radius = radius(tile)
            guard radius > 0 else { continue }
            // Spans may end a pair of pixels further, and differences need the sum behind it.
            let reach = (Int(radius.rounded(.up)) + 3) / LensGeometry.tile + 1
            Self.forEachNeighbour(of: tile, columns, rows, within: reach) { isRead[$0] = true }
        }
        return isRead
    }

    private mutating func runs(_ belongs: [Bool]) -> Range<Int> {
        let first = tiles.count
        for row in 0..<rows {
            let line = belongs[row * columns..<(row + 1) * columns]
            var start = line.startIndex
            while let begin = line[start...].firstIndex(of: true) {
                let end = line[begin...].firstIndex(of: false) ?? line.endIndex
                tiles.append(UInt32(begin - line.startIndex) | UInt32(row) << 8 | UInt32(end - begin) << 16)
                start = end
            }
        }
        return first..<tiles.count
    }

    private mutating func list(_ radius: [Float]? = nil, _ belongs: (Int) -> Bool) -> Range<Int> {
        list(radius, columns: columns, rows: rows, belongs)
    }

    private mutating func finished(_ isLit: [Bool], whole isWhole: [Bool]? = nil, _ belongs: (Int) -> Bool) -> Finished {
        func list(_ lit: Bool, _ whole: Bool) -> Range<Int> { self.list { belongs($0) && isLit[$0] == lit && (isWhole?[$0] ?? false) == whole } }
        return Finished(unlitWhole: list(false, true), unlit: list(false, false), lit: list(true, false), litWhole: list(true, true))
    }

    private mutating func list(_ radius: [Float]? = nil, columns: Int, rows: Int, _ belongs: (Int) -> Bool) -> Range<Int> {
        let first = tiles.count
        for tile in 0..<columns * rows where belongs(tile) { tiles.append(Self.word(tile, columns, radius: radius?[tile] ?? 0)) }
        return first..<tiles.count
    }

    /// A list for each bucket.
    private mutating func lists(_ radius: [Float], byBucket bucket: [Int], count: Int) -> [Range<Int>] {
        var words = [[UInt32]](repeating: [], count: count)
        for tile in bucket.indices where bucket[tile] >= 0 { words[bucket[tile]].append(Self.word(tile, columns, radius: radius[tile])) }
        return words.map {
            tiles += $0
            return tiles.count - $0.count..<tiles.count
        }
    }

    private static func word(_ tile: Int, _ columns: Int, radius: Float) -> UInt32 {
        UInt32(tile % columns) | UInt32(tile / columns) << 8 | UInt32(radius * radiusSteps) << 16
    }
}

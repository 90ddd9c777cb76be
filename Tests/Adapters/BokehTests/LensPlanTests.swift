@testable import Bokeh
import CoreVideo
import Optics
import Pipeline
import Testing

/// The lists of the lens plan against what every pixel of the disparity map asks for; needs no device.
@Suite("The plan of the lens")
struct LensPlanTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var diameter: Double
        var scene: Int
        var testDescription: String { "scene \(scene), \(diameter) px" }
    }

    static let cases = [8.0, 24, 60, 150, 400].flatMap { diameter in (0..<6).map { Case(diameter: diameter, scene: $0) } }

    /// 0: far wall, slanted floor, near disc; 1: jumps of the far layer; 2: deep inside what is near; 3: a slanted plane; 4: something near before
    /// what is blurred less; 5: far alone.
    private static func disparity(_ scene: Int, _ x: Int, _ y: Int) -> Float {
        switch scene {
        case 0: (x - 300) * (x - 300) + (y - 90) * (y - 90) < 1600 ? 0.9 : y > 160 ? 0.1 + Float(y - 160) / 200 : 0.1
        case 1: x > 200 && y > 100 ? 0.3 : x < 20 && y < 20 ? 0.9 : 0.02
        case 2: x < 330 ? 0.8 : 0.1
        case 3: Float(y) / 240
        case 4: x < 330 ? 0.95 : 0.42
        default: x > 400 ? 0.45 : 0.05
        }
    }

    /// A plan, and the signed radius in pixels of the picture at every pixel, + in front of the focus.
    private struct Scene {
        let plan: LensPlan
        let radii: Grid<Float>
        let scale: Int
        let side: Int

        /// `white`: a tile that shows something white, nil for none.
        init(_ it: Case, white: Int? = nil) throws {
            let (width, height) = (480, 256)
            let image = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
            let map = TestPicture.disparity(width, height) { disparity(it.scene, $0, $1) }
            let geometry = try LensGeometry(image: image, disparity: map)
            let circle = CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: it.diameter)
            let parameters = geometry.parameters(circle: circle, options: BokehOptions(highlights: 0))
            let tiles = TileRadii(image, geometry: geometry, parameters: parameters, disparity: map)
            let lights = white.map { white in
                var peaks = [UInt8](repeating: 40, count: geometry.coarseWidth * geometry.coarseHeight)
                let (x, y) = (white % tiles.columns * LensGeometry.tile / 2, white / tiles.columns * LensGeometry.tile / 2)
                peaks[(y + 1) * geometry.coarseWidth + x + 1] = 255
                return TileLights(
                    IsolatedLights(peaks: peaks, columns: geometry.coarseWidth, rows: geometry.coarseHeight, knee: 0.9), tiles, scale: geometry.scale)
            }
            plan = LensPlan(radii: tiles, scale: geometry.scale, isRound: true, lights: lights)
            radii = Grid(width: width, height: height) { x, y in
                let radius = (disparity(it.scene, x, y) - 0.5) * Float(it.diameter / 2)
                return min(max(radius, -Float(LensGeometry.maxWorkRadius * geometry.scale)), Float(LensGeometry.maxWorkRadius * geometry.scale))
            }
            scale = geometry.scale
            side = geometry.tileSide
        }

        var tiles: Range<Int> { 0..<plan.columns * plan.rows }

        /// Signed radii of a tile.
        func radii(of tile: Int) -> [Float] {
            let (left, top) = (tile % plan.columns * side, tile / plan.columns * side)
            return (top..<min(top + side, radii.height)).flatMap { y in (left..<min(left + side, radii.width)).map { radii[$0, y] } }
        }

        /// Tiles with a pixel within `reach` pixels of the tile's own, each way.
        func tiles(within reach: Float, of tile: Int) -> Set<Int> {
            let (left, top, far) = (tile % plan.columns * side, tile / plan.columns * side, Int(reach.rounded(.up)))
            let columns = max(left - far, 0) / side...min(left + side - 1 + far, radii.width - 1) / side
            let rows = max(top - far, 0) / side...min(top + side - 1 + far, radii.height - 1) / side
            return Set(rows.flatMap { row in columns.map { row * plan.columns + $0 } })
        }

        /// Tiles of a list, and the radius of each in layer pixels; traps where one stands twice.
        func list(_ range: Range<Int>) -> [Int: Float] {
            var result: [Int: Float] = [:]
            for word in plan.tiles[range] {
                let old = result.updateValue(Float(word >> 16) / LensPlan.radiusSteps, forKey: index(of: word))
                precondition(old == nil, "a tile stands twice in a list")
            }
            return result
        }

        func tiles(_ range: Range<Int>) -> Set<Int> { Set(plan.tiles[range].map(index)) }

        /// Tiles of runs.
        func runs(_ range: Range<Int>) -> Set<Int> {
            var result: Set<Int> = []
            for word in plan.tiles[range] { result.formUnion(index(of: word)..<index(of: word) + Int(word >> 16)) }
            return result
        }

        private func index(of word: UInt32) -> Int {
            let (column, row) = (Int(word & 255), Int(word >> 8 & 255))
            return row * plan.columns + column
        }
    }

    @Test("touches and reaches every tile that blur does, and says where something is in front", arguments: cases)
    func reach(_ it: Case) throws {
        let scene = try Scene(it)
        for tile in scene.tiles {
            let radii = scene.radii(of: tile)
            let (nearest, farthest) = (radii.max()!, radii.min()!)
            if nearest > TileRadii.slight || farthest < -TileRadii.slight { #expect(scene.plan.showsBlur[tile], "tile \(tile)") }
            #expect((scene.plan.tiles[tile] & 1 == 1) == (nearest > TileRadii.slight), "tile \(tile)")
            guard nearest > TileRadii.slight else { continue }
            for other in scene.tiles(within: nearest, of: tile) {
                #expect(scene.plan.isNearReached[other] && scene.plan.showsBlur[other], "tile \(other) from \(tile)")
            }
        }
    }

    @Test("finishes every touched tile once, coarsely only where all of it is out of focus by far", arguments: cases)
    func finish(_ it: Case) throws {
        let scene = try Scene(it)
        let uniform = scene.tiles(scene.plan.uniformCoarse.all)
        let mixed = scene.plan.mixedResolution.map { scene.tiles($0.all) }
        #expect(mixed.reduce(uniform.count) { $0 + $1.count } == mixed.reduce(uniform) { $0.union($1) }.count, "no tile twice")
        #expect(mixed.reduce(uniform) { $0.union($1) } == Set(scene.tiles.filter { scene.plan.showsBlur[$0] }))
        let finished = scene.plan.coarseFinished.reduce(into: Set<Int>()) { $0.formUnion(scene.tiles($1.all)) }
        for tile in uniform {
            let least = scene.radii(of: tile).map(abs).min()!
            #expect(least >= TileRadii.coarseNear * Float(scene.scale) - 0.01, "tile \(tile): \(least) px")
            #expect(finished.isSuperset(of: scene.tiles(within: 1, of: tile)), "interpolation reads the tiles beside \(tile)")
        }
    }

    @Test("makes up every tile once before a pass reads it, simply only where all is far", arguments: cases)
    func setup(_ it: Case) throws {
        let scene = try Scene(it)
        let plan = scene.plan
        let far = [plan.farWithoutFill, plan.farWithFill].map(scene.tiles)
        let opaque = [plan.opaqueUniform, plan.opaqueMixed].map(scene.tiles)
        let whole = [plan.wholeWithoutFill, plan.wholeWithFill].map(scene.tiles)
        let lists = far + whole + opaque + [plan.mixedWithoutFill, plan.mixedWithFill, plan.inFront].map(scene.tiles)
        let all = lists.reduce(into: Set<Int>()) { $0.formUnion($1) }
        #expect(lists.reduce(0) { $0 + $1.count } == all.count, "no tile twice")
        for runs in [plan.far.fineRuns, plan.far.coarseRuns] { #expect(all.isSuperset(of: scene.runs(runs))) }
        #expect(all.isSuperset(of: scene.tiles(plan.far.sources)))
        #expect(all.isSuperset(of: scene.tiles.filter { plan.showsBlur[$0] }))
        for tile in far.joined() { #expect(scene.radii(of: tile).max()! <= -TileRadii.coarse * Float(scene.scale) + 0.01, "tile \(tile)") }
        for tile in whole.joined() { #expect(scene.radii(of: tile).max()! <= -TileRadii.slight - 1 + 0.01, "tile \(tile) is partly in focus") }
        for tile in opaque.joined() {
            let nearest = scene.radii(of: tile).max()!
            let around = scene.tiles(within: nearest, of: tile).flatMap(scene.radii)
            #expect(around.min()! > TileRadii.slight, "tile \(tile) shows something behind")
        }
    }

    @Test("starts the fill from all tiles beside those that the near layer reaches", arguments: cases)
    func fill(_ it: Case) throws {
        let scene = try Scene(it)
        let withFill = scene.tiles(scene.plan.withFill)
        let resolved = scene.plan.reached.reduce(into: Set<Int>()) { $0.formUnion(scene.tiles($1)) }
        let opaque = scene.tiles(scene.plan.opaqueUniform).union(scene.tiles(scene.plan.opaqueMixed))
        #expect(resolved.union(opaque) == Set(scene.tiles.filter { scene.plan.isNearReached[$0] }))
        for tile in resolved { #expect(withFill.isSuperset(of: scene.tiles(within: 1, of: tile)), "tile \(tile)") }
        let flagged = Set(scene.tiles.filter { scene.plan.tiles[$0] & 2 == 2 })
        #expect(flagged.isSuperset(of: resolved) && withFill.isSuperset(of: flagged) && flagged.isDisjoint(with: opaque))
    }

    @Test("draws each disc from a bucket that holds it and from sums that reach as far", arguments: cases, [LensBuffer.Layer.far, .near])
    func discs(_ it: Case, layer: LensBuffer.Layer) throws {
        let scene = try Scene(it)
        let discs = scene.plan.discs(layer)
        let sign: Float = layer == .near ? 1 : -1
        for (buckets, lists, runs, unit) in [
            (DiscBuckets.fine, discs.fine, scene.runs(discs.fineRuns), Float(1)), (.coarse, discs.coarse, scene.runs(discs.coarseRuns), 2),
        ] {
            for (bucket, list) in lists.enumerated() {
                for (tile, radius) in scene.list(list) where bucket > 0 {
                    let disc = LensPlan.disc(radius, coarse: unit == 2)
                    // Half a row, or a pair of rows, beyond the bucket's last, or the lens's largest.
                    let holds = Float(buckets.radii[bucket]) + unit
                    #expect(disc <= holds || bucket == buckets.radii.count - 1, "a disc of \(disc) in bucket \(buckets.radii[bucket])")
                    let read = scene.tiles(within: disc * Float(scene.scale), of: tile)
                    if buckets.isDirect(bucket, isRound: true) {
                        #expect(read.allSatisfy { discs.isRead[$0] }, "what is read about tile \(tile)")
                    } else {
                        #expect(runs.isSuperset(of: read), "sums about tile \(tile)")
                    }
                    let own = scene.radii(of: tile).map { $0 * sign / Float(scene.scale) }.max()!
                    if own * Float(scene.scale) > TileRadii.slight { #expect(radius >= own - 0.001, "tile \(tile): \(radius) of \(own)") }
                }
            }
        }
        let drawn = (discs.fine + discs.coarse).reduce(into: scene.tiles(discs.gathered).union(scene.tiles(discs.upsampledBroad))) {
            $0.formUnion(scene.tiles($1))
        }
        let opaque = scene.tiles(scene.plan.opaqueUniform).union(scene.tiles(scene.plan.opaqueMixed))
        for tile in scene.tiles where !opaque.contains(tile) {
            guard scene.radii(of: tile).contains(where: { $0 * sign > TileRadii.slight }) else { continue }
            #expect(drawn.contains(tile), "tile \(tile)")
            let isAtLayerSize = discs.fine.dropFirst().contains { scene.tiles($0).contains(tile) } || scene.tiles(discs.upsampled).contains(tile)
            #expect(isAtLayerSize || scene.plan.isUniformCoarse[tile], "tile \(tile) at layer size")
        }
    }

    @Test("draws few pixels coarsely that are blurred little", arguments: cases)
    func fineness(_ it: Case) throws {
        let scene = try Scene(it)
        for tile in scene.tiles(scene.plan.far.upsampled) {
            let radii = scene.radii(of: tile)
            let fine = radii.count { $0 < -TileRadii.slight && $0 > -TileRadii.coarse * Float(scene.scale) }
            #expect(fine * 8 <= radii.count, "tile \(tile): \(fine) of \(radii.count)")
        }
    }

    @Test("gathers about each jump of the far layer's depth, from all that the largest disc reaches", arguments: cases.filter { $0.scene == 1 })
    func gather(_ it: Case) throws {
        let scene = try Scene(it)
        let discs = scene.plan.far
        let gathered = scene.tiles(discs.gathered).union(scene.tiles(discs.upsampledBroad))
        let sources = scene.tiles(discs.sources)
        for tile in scene.tiles {
            let radii = scene.radii(of: tile).map { -$0 / Float(scene.scale) }
            let (least, largest) = (radii.min()!, radii.max()!)
            guard least >= TileRadii.gathered, largest - least > 2 else { continue }
            for other in scene.tiles(within: largest * Float(scene.scale), of: tile) {
                guard scene.radii(of: other).allSatisfy({ $0 <= -TileRadii.gathered * Float(scene.scale) }) else { continue }
                #expect(gathered.contains(other), "tile \(other), a disc away from the jump in \(tile)")
            }
        }
        for (tile, radius) in scene.list(discs.gathered) {
            #expect(sources.isSuperset(of: scene.tiles(within: LensPlan.disc(radius, coarse: true) * Float(scene.scale), of: tile)), "tile \(tile)")
        }
        for tile in scene.tiles(discs.upsampledBroad) {
            let largest = scene.tiles(within: 1, of: tile).flatMap(scene.radii).map { -$0 }.max()!
            #expect(sources.isSuperset(of: scene.tiles(within: largest, of: tile)), "tile \(tile)")
            #expect(scene.radii(of: tile).max()! <= -TileRadii.broad * Float(scene.scale) + 0.01, "tile \(tile)")
        }
        #expect(it.diameter < 100 || !gathered.isEmpty)
    }

    @Test("finishes with care every tile that a disc of something white reaches, and none far from it", arguments: cases)
    func lights(_ it: Case) throws {
        let white = 58
        let (scene, plain) = (try Scene(it, white: white), try Scene(it))
        let plan = scene.plan
        let lists = plan.mixedResolution + [plan.uniformCoarse]
        let lit = lists.reduce(into: Set<Int>()) { $0.formUnion(scene.tiles($1.lit).union(scene.tiles($1.litWhole))) }
        let drawn = Set(plain.tiles.filter { plain.plan.showsBlur[$0] })
        #expect(lists.reduce(into: lit) { $0.formUnion(scene.tiles($1.unlit).union(scene.tiles($1.unlitWhole))) } == drawn)
        #expect(lists.reduce(0) { $0 + $1.all.count } == drawn.count, "no tile twice")
        let largest = scene.radii(of: white).map(abs).max()!
        #expect(lit.isSuperset(of: scene.tiles(within: largest, of: white).intersection(drawn)))
        #expect(lit.isSubset(of: scene.tiles(within: largest + Float(3 * scene.side), of: white)))
        let finished = plan.coarseFinished.reduce(into: Set<Int>()) { $0.formUnion(scene.tiles($1.lit)) }
        for tile in scene.tiles(plan.uniformCoarse.lit) { #expect(finished.isSuperset(of: scene.tiles(within: 1, of: tile)), "light beside \(tile)") }
    }

    @Test("marks every tile for every pass when asked to", arguments: cases)
    func everything(_ it: Case) throws {
        let radii = TestPicture.disparity(480, 256) { Self.disparity(it.scene, $0, $1) }
        let image = CVPixelBuffer(width: 480, height: 256, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
        let geometry = try LensGeometry(image: image, disparity: radii)
        let circle = CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: it.diameter)
        let parameters = geometry.parameters(circle: circle, options: BokehOptions(highlights: 0))
        let tiles = TileRadii(image, geometry: geometry, parameters: parameters, disparity: radii)
        let plan = LensPlan(radii: tiles, scale: geometry.scale, isRound: true, marksEverything: true)
        let count = plan.columns * plan.rows
        #expect(plan.inFront.count == count && plan.reached[1].count == count && plan.mixedResolution[TileKind.inFront.rawValue].all.count == count)
        #expect(plan.showsBlur.allSatisfy(\.self) && plan.uniformCoarse.all.isEmpty)
    }
}

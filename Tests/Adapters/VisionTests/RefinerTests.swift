import CoreVideo
import Foundation
import Pipeline
import Testing

@testable import Vision

extension DisparityRefiner {
    /// The map of a picture, as large as a lens has it.
    fileprivate func refineForLens(_ map: DisparityMap, of picture: CVPixelBuffer) throws -> DisparityMap {
        try JointUpsampler().upsampled(refine(map, of: picture), along: picture)
    }
}

@Suite("Measured disparity, refined")
struct RefinerTests {
    private static let (width, height) = (160, 90)

    /// A round thing before a slanted wall.
    private static func isThing(_ x: Int, _ y: Int) -> Bool { (x - 70) * (x - 70) + (y - 45) * (y - 45) < 30 * 30 }

    private static func truth(_ x: Int, _ y: Int) -> Double { isThing(x, y) ? 0.9 : 0.2 + 0.0005 * Double(x) }

    /// The thing lighter than the wall by `contrast` codes, both with some texture.
    private static func picture(contrast: Int = 60) -> CVPixelBuffer {
        Pictures.picture(width, height) { x, y in (isThing(x, y) ? 90 + contrast : 90) + Pictures.speckle(x, y) / 16 }
    }

    /// A standard deviation of 1: the sum of four even draws.
    private static func noise(_ x: Int, _ y: Int, draw: Int = 0) -> Double {
        (0..<4).reduce(0) { $0 + Double(Pictures.speckle(x + 977 * $1, y + 571 * draw) - 40) / 159 - 0.5 } * 1.732
    }

    /// Every second pixel of the exact map.
    private static func small(noise: Double = 0) -> DisparityMap {
        Pictures.map(width / 2, height / 2) { x, y in truth(2 * x, 2 * y) + noise * Self.noise(x, y) }
    }

    /// Each pixel the mean of (2 `radius` + 1)² of the exact ones.
    private static func soft(radius: Int) -> DisparityMap {
        Pictures.map(width / 2, height / 2) { x, y in
            let window = -radius...radius
            let sum = window.reduce(0) { sum, dy in window.reduce(sum) { $0 + truth(2 * (x + $1), 2 * (y + dy)) } }
            return sum / Double(window.count * window.count)
        }
    }

    /// Shares of pixels on the wrong side, and of such between the two.
    private static func faults(_ map: DisparityMap) -> (wrong: Double, between: Double) {
        var (wrong, between) = (0, 0)
        for y in 0..<height {
            for x in 0..<width {
                let value = Double(map.row(y)[x])
                if abs(value - truth(x, y)) > 0.3 { wrong += 1 }
                if (0.4..<0.75).contains(value) { between += 1 }
            }
        }
        return (Double(wrong) / Double(width * height), Double(between) / Double(width * height))
    }

    @Test("a wall that fills the view keeps its distance, measured all over or with a hole", arguments: [false, true])
    func wall(hasHole: Bool) throws {
        let map = Pictures.map(80, 45) { x, y in hasHole && (x - 40) * (x - 40) + (y - 20) * (y - 20) < 25 ? .nan : 0.5 }
        let refined = try DisparityRefiner().refineForLens(map, of: Self.picture())
        let values = (0..<refined.height).flatMap { y in (0..<refined.width).map { refined.row(y)[$0] } }
        #expect(values.allSatisfy { abs($0 - 0.5) < 1e-5 })
    }

    @Test(
        "what walks past nearer than a camera or a pair measures is before everything, also where nothing was measured of it",
        arguments: [false, true], [60, 90])
    func nearOccluder(isMatched: Bool, breadth: Int) throws {
        let refiner = DisparityRefiner(isMatched: isMatched)
        /// Left side of somebody too near, up to more than half of the picture wide.
        func passer(_ index: Int) -> Int { 8 * index - 40 }
        func isPasser(_ x: Int, _ index: Int) -> Bool { index > 2 && (passer(index)..<passer(index) + breadth).contains(x) }
        var last = Pictures.map(1, 1) { _, _ in 0 }
        for index in 0..<10 {
            let picture = Pictures.picture(Self.width, Self.height) { x, y in
                isPasser(x, index) ? 30 : (Self.isThing(x, y) ? 150 : 90) + Pictures.speckle(x, y) / 16
            }
            let map = Pictures.map(Self.width / 2, Self.height / 2) { x, y in
                isPasser(2 * x, index) ? .nan : Self.truth(2 * x, 2 * y) + 0.005 * Self.noise(x, y, draw: index)
            }
            last = try refiner.refineForLens(map, of: picture)
        }
        // At x from 32 to 92 or 122 of 160 now: over the left half of the thing, at .9 1/m, or all of it, and the wall, at .2.
        for (x, y) in [(40, 10), (50, 45), (80, 45), (85, 80)] { #expect(last.row(y)[x] > 1.2, "\(x), \(y): \(last.row(y)[x])") }
        let thing = last.row(45)[97]
        #expect((breadth > 60 ? thing > 1.2 : abs(thing - 0.9) < 0.1) && abs(last.row(10)[140] - 0.27) < 0.1, "\(thing)")
    }

    @Test("a camera that pans or zooms does not take what it shows now for somebody too near", arguments: [false, true])
    func panning(zooms: Bool) throws {
        let refiner = DisparityRefiner(isMatched: true)
        var nearest: Float = 0
        for index in 0..<16 {
            func scene(_ x: Int, _ y: Int) -> (Int, Int) {
                zooms ? (80 + (x - 80) * 60 / (60 + index), 45 + (y - 45) * 60 / (60 + index)) : (x + index, y + index / 2)
            }
            // A wall of patches of 9 x 9 pixels, of which a pair does not match one region.
            let picture = Pictures.picture(Self.width, Self.height) { x, y in
                let (x, y) = scene(x, y)
                return Pictures.speckle((x + 300) / 9, (y + 300) / 9)
            }
            let map = Pictures.map(Self.width / 2, Self.height / 2) { x, y in
                let (sceneX, sceneY) = scene(2 * x, 2 * y)
                let isMissed = (100..<124).contains(sceneX) && (20..<70).contains(sceneY)
                return isMissed ? .nan : 0.5 + 0.2 * (sceneX < 60 ? 1 : 0) + 0.005 * Self.noise(x, y, draw: index)
            }
            let refined = try refiner.refineForLens(map, of: picture)
            for y in 0..<refined.height { nearest = (0..<refined.width).reduce(nearest) { max($0, refined.row(y)[$1]) } }
        }
        #expect(nearest < 0.9, "1.5 times the nearest of the scene is 1.05: \(nearest)")
    }

    @Test("what is too near in the first frame of a shot is before everything; a window is not, nor the margin of a map")
    func nearFromTheFirst() throws {
        /// Disparity at a pixel where columns and rows of the map are not measured.
        func refined(_ columns: Range<Int>, _ rows: Range<Int>, _ x: Int, _ y: Int) throws -> Float {
            let map = Pictures.map(Self.width / 2, Self.height / 2) { x, y in
                columns.contains(x) && rows.contains(y) ? .nan : Self.truth(2 * x, 2 * y) + 0.005 * Self.noise(x, y)
            }
            let result = try DisparityRefiner().refineForLens(map, of: Self.picture())
            return withExtendedLifetime(result) { result.row(y)[x] }
        }
        let (below, right) = (try refined(20..<60, 10..<45, 80, 60), try refined(50..<80, 10..<40, 140, 40))
        #expect(below > 1.2 && right > 1.2, "somebody who comes up from below: \(below); somebody at the right: \(right)")
        #expect(try refined(20..<60, 0..<35, 80, 20) < 1, "a window above")
        for y in stride(from: 0, to: Self.height, by: 9) { #expect(try refined(0..<6, 0..<45, 4, y) < 1, "a margin") }
    }

    @Test("a hole that looks like the thing beside it belongs to that thing: the hair of a head")
    func hair() throws {
        let picture = Self.picture()
        // Missed by the camera: the upper third of the thing, and a rim around it.
        let map = Pictures.map(Self.width, Self.height) { x, y in
            let isMissed = hypot(Double(x - 70), Double(y - 45)) < 33 && y < 35
            return isMissed ? .nan : Self.truth(x, y) + 0.004 * Self.noise(x, y)
        }
        let faults = Self.faults(try DisparityRefiner(persistence: 0).refineForLens(map, of: picture))
        #expect(faults.wrong < 0.004 && faults.between < 0.001, "\(faults)")
    }

    @Test("of a depth camera's outline, pixels that mix the colours of both sides belong to the nearer")
    func mixedPixels() throws {
        // Two pixels beside the thing have a third and two thirds of the wall's luma.
        let picture = Pictures.picture(Self.width, Self.height) { x, y in [80: 70, 81: 110][x] ?? (x < 80 ? 30 : 150) }
        let map = Pictures.map(Self.width, Self.height) { x, y in (x < 80 ? 0.9 : 0.2) + 0.004 * Self.noise(x, y) }
        let refined = try DisparityRefiner(persistence: 0).refineForLens(map, of: picture)
        for y in stride(from: 5, to: Self.height - 5, by: 10) {
            let row = (78..<86).map { Double(refined.row(y)[$0]) }
            #expect(row.prefix(4).allSatisfy { abs($0 - 0.9) < 0.05 } && row.suffix(4).allSatisfy { abs($0 - 0.2) < 0.05 }, "row \(y): \(row)")
        }
    }

    @Test("a surface that comes out behind somebody, not measured again, is where it was", arguments: [false, true])
    func seenAgain(isMatched: Bool) throws {
        let refiner = DisparityRefiner(isMatched: isMatched)
        var last = Pictures.map(1, 1) { _, _ in 0 }
        for index in 0..<6 {
            // Somebody at 1.4 1/m, 20 pixels of the map wide, for two frames; after that nothing is measured where he was.
            func isHidden(_ x: Int) -> Bool { index > 2 && (25..<45).contains(x / 2) }
            let picture = Pictures.picture(Self.width, Self.height) { x, y in
                isHidden(x) && index < 5 ? 30 : (Self.isThing(x, y) ? 150 : 90) + Pictures.speckle(x, y) / 16
            }
            let map = Pictures.map(Self.width / 2, Self.height / 2) { x, y in
                guard isHidden(2 * x) else { return Self.truth(2 * x, 2 * y) + 0.005 * Self.noise(x, y, draw: index) }
                return index < 5 ? 1.4 : .nan
            }
            last = try refiner.refineForLens(map, of: picture)
        }
        for (x, y) in [(60, 5), (70, 45), (80, 45), (80, 85)] {
            #expect(abs(Double(last.row(y)[x]) - Self.truth(x, y)) < 0.1, "\(x), \(y): \(last.row(y)[x])")
        }
    }

    @Test("a hole between two surfaces is of one or the other, with nothing between them that might be in focus")
    func holesBetween() throws {
        // The thing's outline is a hole 12 pixels wide, in a picture that shows no edge there.
        let picture = Pictures.picture(Self.width, Self.height) { x, y in 90 + Pictures.speckle(x, y) / 16 }
        let map = Pictures.map(Self.width, Self.height) { x, y in
            let distance = hypot(Double(x - 70), Double(y - 45))
            return (24..<36).contains(distance) ? .nan : Self.truth(x, y) + 0.004 * Self.noise(x, y)
        }
        #expect(Self.faults(try DisparityRefiner(persistence: 0).refineForLens(map, of: picture)).between < 0.002)
    }

    @Test("for boxes it tells over each of them what it tells a lens")
    func boxes() throws {
        let measured = Self.small(noise: 0.01)
        let map = try DisparityRefiner(purpose: .boxes).refine(measured, of: Self.picture())
        let lens = try DisparityRefiner().refineForLens(measured, of: Self.picture())
        #expect((map.width, map.height) == (measured.width, measured.height))
        for box in [Pictures.box(0.3, 0.3, 0.25, 0.4), Pictures.box(0.7, 0.1, 0.2, 0.8), Pictures.box(0, 0, 0.2, 0.2)] {
            #expect(abs((try #require(map.median(in: box))) - (try #require(lens.median(in: box)))) < 0.01)
        }
    }

    @Test("has the edges of the picture, and nothing between two surfaces", arguments: [0, 0.01])
    func edges(noise: Double) throws {
        let map = try DisparityRefiner().refineForLens(Self.small(noise: noise), of: Self.picture())
        #expect((map.width, map.height) == (Self.width, Self.height))
        let faults = Self.faults(map)
        #expect(faults.wrong < 0.001, "\(faults)")
        #expect(faults.between == 0, "\(faults)")
    }

    @Test("has edges without ramps where the picture shows none, at most a pixel off")
    func unseen() throws {
        let faults = Self.faults(try DisparityRefiner().refineForLens(Self.small(), of: Self.picture(contrast: 0)))
        #expect(faults.between < 0.002 && faults.wrong < 0.012, "\(faults)")
    }

    @Test("has sharp edges where they were measured softly")
    func ramps() throws {
        let faults = Self.faults(try DisparityRefiner().refineForLens(Self.soft(radius: 3), of: Self.picture()))
        #expect(faults.wrong < 0.002 && faults.between < 0.002, "\(faults)")
    }

    @Test("keeps flat and slanted surfaces as they are, and has no steps where a floor rises", arguments: [0.001, 0.006], [0, 0.005])
    func surfaces(slope: Double, noise: Double) throws {
        let floor = Pictures.map(80, 45) { x, y in
            (Self.isThing(2 * x, 2 * y) ? 0.9 : 0.2 + slope * Double(y)) + noise * Self.noise(x, y)
        }
        let map = try DisparityRefiner().refineForLens(DisparityMap(buffer: floor.buffer, isMetric: true), of: Self.picture())
        #expect(map.confidence == nil && map.isMetric)
        for y in 2..<Self.height - 2 {
            for x in 120..<Self.width - 2 {
                #expect(abs(Double(map.row(y)[x]) - (0.2 + slope * (Double(y) / 2 - 0.25))) < 0.002 + slope + 4 * noise, "\(x), \(y)")
            }
        }
    }

    @Test("leaves alone what was drawn, and what is as large as its picture, bit for bit")
    func drawn() throws {
        let (whole, small) = (Pictures.map(Self.width, Self.height, Self.truth), Self.small())
        let refiner = DisparityRefiner()
        for contrast in [60, 0, 90] { #expect(try refiner.refine(whole, of: Self.picture(contrast: contrast)).buffer === whole.buffer) }
        #expect(try DisparityRefiner().refine(small, of: Self.picture()).buffer === small.buffer)
        #expect(try JointUpsampler().upsampled(whole, along: Self.picture()).buffer === whole.buffer)
        let map = try JointUpsampler(width: 120).upsampled(small, along: Self.picture())
        #expect((map.width, map.height) == (120, 68))
    }

    @Test("upsampled in bands of rows side by side, is the same bits", arguments: [2, 3, 7])
    func bands(count: Int) throws {
        let (small, picture) = (Self.small(noise: 0.01), Self.picture())
        let guide = try Raster(lumaOf: picture, width: Self.width, height: Self.height)
        let reduced = try Raster(lumaOf: picture, width: small.width, height: small.height)
        let whole = upsample(small.values, of: reduced, along: guide, bands: 1)
        #expect(Set(whole).count > 100 && upsample(small.values, of: reduced, along: guide, bands: count) == whole)
    }

    @Test("fills what was not measured with what lies behind, without confidence")
    func holes() throws {
        // A depth camera sees nothing of a rim left of the thing, and of specks here and there.
        func isHole(_ x: Int, _ y: Int) -> Bool { !Self.isThing(x, y) && Self.isThing(x + 8, y) || Pictures.speckle(x, y) > 195 }
        let map = Pictures.map(Self.width, Self.height) { x, y in isHole(x, y) ? .nan : Self.truth(x, y) }
        let refined = try DisparityRefiner().refineForLens(map, of: Self.picture())
        #expect(Self.faults(refined).wrong < 0.001 && Self.faults(refined).between < 0.002, "\(Self.faults(refined))")
        let confidence = try #require(refined.confidence)
        for y in 0..<Self.height {
            for x in 0..<Self.width { #expect(confidence.plane(0).row(y, as: UInt8.self)[x] == (isHole(x, y) ? 0 : 255)) }
        }
    }

    /// Values of `frames` maps at every pixel, from a noisy depth camera before a scene that stands still.
    private static func still(_ frames: Int, noise: Double) throws -> [DisparityMap] {
        let refiner = DisparityRefiner()
        return try (0..<frames).map { draw in
            let map = Pictures.map(width, height) { x, y in
                Pictures.speckle(x + draw, y) > 195 ? .nan : truth(x, y) + noise * Self.noise(x, y, draw: draw)
            }
            return try refiner.refineForLens(map, of: picture())
        }
    }

    @Test("stands still where the picture does, whatever the sensor's noise", arguments: [0.005, 0.02])
    func steady(noise: Double) throws {
        let maps = try Self.still(16, noise: noise)
        var (sum, count) = (0.0, 0)
        for (before, after) in zip(maps.dropFirst(8), maps.dropFirst(9)) {
            for y in 0..<Self.height { for x in 0..<Self.width { sum += Double(abs(before.row(y)[x] - after.row(y)[x])) } }
            count += Self.width * Self.height
        }
        // Raw, it would be 1.13 noise.
        #expect(sum / Double(count) < 0.05 * noise, "noise of \(noise): \(sum / Double(count)) from frame to frame")
    }

    @Test("follows at once what moves in the picture, and soon what moves in depth alone")
    func moves() throws {
        let refiner = DisparityRefiner()
        func refined(_ frame: Int, at place: Int, disparity: Double) throws -> DisparityMap {
            func isThere(_ x: Int, _ y: Int) -> Bool { (place..<place + 40).contains(x) && (20..<70).contains(y) }
            let picture = Pictures.picture(Self.width, Self.height) { x, y in (isThere(x, y) ? 150 : 90) + Pictures.speckle(x, y) / 16 }
            let map = Pictures.map(Self.width, Self.height) { x, y in (isThere(x, y) ? disparity : 0.2) + 0.01 * Self.noise(x, y, draw: frame) }
            return try refiner.refineForLens(map, of: picture)
        }
        for frame in 0..<6 { _ = try refined(frame, at: 30, disparity: 0.8) }
        let moved = try refined(6, at: 90, disparity: 0.8)
        #expect(abs(moved.row(45)[50] - 0.2) < 0.05 && abs(moved.row(45)[110] - 0.8) < 0.05)
        for frame in 7..<12 { _ = try refined(frame, at: 90, disparity: 0.8) }
        let frames = try (12..<20).map {
            let map = try refined($0, at: 90, disparity: 0.5)
            return abs(map.row(45)[110] - 0.5) < 0.05
        }
        #expect(frames[3...].allSatisfy { $0 }, "\(frames)")
    }
}

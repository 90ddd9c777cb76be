import CoreVideo
import Foundation
import Testing

@testable import Vision

@Suite("Plate of the background")
struct BackgroundPlateTests {
    private static let (width, height) = (160, 90)

    /// A wall of patches that the camera passes by `pan` pixels; a thing with its own colours and a shadow where they are given.
    private static func tones(pan: Int = 0, noise draw: Int = 0, thing: CGRect = .zero, shadow: CGRect = .zero, light: Int = 0) throws -> Raster {
        let raster = Raster(width: width, height: height, channels: 3)
        for y in 0..<height {
            for x in 0..<width {
                let place = CGPoint(x: Double(x) + 0.5, y: Double(y) + 0.5)
                let wall = 70 + Pictures.speckle((x + pan + 400) / 5, y / 5) / 3 + Pictures.speckle(x + 31 * draw, y) % 5 + light
                let isThing = thing.contains(place)
                let colour = isThing ? (150, 160, 110) : (shadow.contains(place) ? wall * 4 / 5 : wall, 128, 135)
                let pixel = raster.pixel(x, y)
                (pixel[0], pixel[1], pixel[2]) = (UInt8(colour.0), UInt8(colour.1), UInt8(colour.2))
            }
        }
        return raster
    }

    /// After so many pictures of the wall alone.
    private static func plate(pictures: Int = 70, pan: (Int) -> Int = { _ in 0 }) throws -> BackgroundPlate {
        var plate = BackgroundPlate(width: width, height: height)
        for index in 0..<pictures {
            let tones = try tones(pan: pan(index), noise: index)
            try plate.align(to: tones, moving: nil)
            _ = plate.evidence(of: tones)
            plate.learn(tones) { _ in true }
        }
        return plate
    }

    /// Share of the pixels inside a rectangle, or outside, of which `isCounted` is true.
    private static func share(_ values: [Float], in box: CGRect, inside: Bool = true, _ isCounted: (Float) -> Bool) -> Double {
        let places = values.indices.filter { box.contains(CGPoint(x: Double($0 % width) + 0.5, y: Double($0 / width) + 0.5)) == inside }
        return Double(places.count { isCounted(values[$0]) }) / Double(places.count)
    }

    private static let thing = CGRect(x: 60, y: 30, width: 30, height: 40)

    @Test("what comes in stands in front of it, to the pixel; a shadow does not")
    func thing() throws {
        var plate = try Self.plate()
        let evidence = plate.evidence(of: try Self.tones(noise: 90, thing: Self.thing, shadow: CGRect(x: 100, y: 40, width: 30, height: 30)))
        #expect(Self.share(evidence, in: Self.thing) { $0 > 0.5 } > 0.98)
        #expect(Self.share(evidence, in: Self.thing, inside: false) { $0 < -0.3 } > 0.98)
    }

    @Test("what is thin and only darker stands in front of a plain wall, what is wide may be a shadow", arguments: [(3, true), (12, false)])
    func thin(columns: Int, isInFront: Bool) throws {
        func tones(_ bar: Range<Int>, noise draw: Int) -> Raster {
            let raster = Raster(width: Self.width, height: Self.height, channels: 3)
            for y in 0..<Self.height {
                for x in 0..<Self.width {
                    let (light, pixel) = (225 + Pictures.speckle(x + 31 * draw, y) % 5, raster.pixel(x, y))
                    (pixel[0], pixel[1], pixel[2]) = (UInt8(bar.contains(x) ? light - 20 : light), 128, 128)
                }
            }
            return raster
        }
        var plate = BackgroundPlate(width: Self.width, height: Self.height)
        for index in 0..<70 { plate.learn(tones(0..<0, noise: index)) { _ in true } }
        let bar = CGRect(x: 80, y: 0, width: CGFloat(columns), height: CGFloat(Self.height))
        let evidence = plate.evidence(of: tones(80..<80 + columns, noise: 90))
        #expect(Self.share(evidence, in: bar) { $0 > 0.3 } == (isInFront ? 1 : 0))
        #expect(Self.share(evidence, in: bar, inside: false) { $0 < -0.3 } > 0.98)
    }

    @Test("it goes along with a camera that pans, and knows nothing of what comes into view")
    func pan() throws {
        var plate = try Self.plate { max(2 * ($0 - 60), 0) }
        let tones = try Self.tones(pan: 18, noise: 90, thing: Self.thing)
        let evidence = plate.evidence(of: tones)
        #expect(Self.share(evidence, in: Self.thing) { $0 > 0.5 } > 0.9)
        #expect(Self.share(evidence, in: Self.thing, inside: false) { $0 > 0 } < 0.05)
        var still = try Self.plate()
        let next = try Self.tones(pan: 4)
        try still.align(to: next, moving: nil)
        let entering = CGRect(x: Double(Self.width - 3), y: 0, width: 3, height: Double(Self.height))
        #expect(Self.share(still.evidence(of: next), in: entering) { $0 == 0 } > 0.9)
    }

    @Test("a change of the light is no subject")
    func light() throws {
        var plate = try Self.plate()
        #expect(plate.evidence(of: try Self.tones(light: 60)).allSatisfy { $0 == 0 })
        #expect(plate.evidence(of: try Self.tones()).allSatisfy { $0 == 0 }, "it begins anew")
    }

    @Test("somebody found where it knew something else not for long, or who stood in it all along, is forgotten, nothing where they stand before it")
    func forgetting() throws {
        let box = try #require(PixelBox(Self.thing, in: try Self.tones()))
        var (young, old, told) = (try Self.plate(pictures: 20), try Self.plate(pictures: 90), try Self.plate(pictures: 90))
        var front = young
        young.forget(in: box, core: [0, 0, 1]) { _, _ in true }
        old.forget(in: box, core: [0, 0, 1]) { _, _ in true }
        told.forget(in: box, core: [-1, -1, 1]) { _, _ in true }
        front.forget(in: box, core: [1, 1, 0]) { _, _ in true }
        let tones = try Self.tones()
        #expect(Self.share(young.evidence(of: tones), in: Self.thing) { $0 == 0 } == 1)
        #expect(Self.share(front.evidence(of: tones), in: Self.thing) { $0 < -0.5 } == 1)
        #expect(Self.share(old.evidence(of: tones), in: Self.thing) { $0 < -0.5 } == 1)
        #expect(Self.share(told.evidence(of: tones), in: Self.thing) { $0 == 0 } == 1)
    }

    /// A plain wall with a little noise, and a thing where it is given.
    private static func plainTones(noise draw: Int, thing: CGRect) -> Raster {
        let raster = Raster(width: width, height: height, channels: 3)
        for y in 0..<height {
            for x in 0..<width {
                let isThing = thing.contains(CGPoint(x: Double(x) + 0.5, y: Double(y) + 0.5))
                let pixel = raster.pixel(x, y)
                let wall = 100 + Pictures.speckle(x + 31 * draw, y) % 5
                (pixel[0], pixel[1], pixel[2]) = isThing ? (150, 160, 110) : (UInt8(wall), 128, 135)
            }
        }
        return raster
    }

    @Test("what has gone leaves no ghost, what is there stays in front")
    func ghost() {
        var plate = BackgroundPlate(width: Self.width, height: Self.height)
        for index in 0..<70 { plate.learn(Self.plainTones(noise: index, thing: Self.thing)) { _ in true } }
        // It has gone; something else has come.
        let other = CGRect(x: 110, y: 20, width: 20, height: 30)
        let tones = Self.plainTones(noise: 90, thing: other)
        var evidence = plate.evidence(of: tones)
        #expect(Self.share(evidence, in: Self.thing.insetBy(dx: 2, dy: 2)) { $0 > 0.5 } > 0.98)
        plate.forgetGhosts(in: tones, &evidence)
        #expect(Self.share(evidence, in: Self.thing) { $0 > 0 } < 0.02)
        #expect(Self.share(evidence, in: other.insetBy(dx: 2, dy: 2)) { $0 > 0.5 } > 0.98)
    }
}

@testable import Bokeh
import CoreVideo
import Foundation
import LensTruth
import Optics
import Pipeline
import Testing

@Suite("Lights told from white things")
struct IsolatedLightsTests {
    private static let (columns, rows) = (120, 68)

    private static func weights(_ isLit: (Int, Int) -> Bool, dark: UInt8 = 40) -> IsolatedLights {
        let peaks = (0..<columns * rows).map { isLit($0 % columns, $0 / columns) ? UInt8(255) : dark }
        return IsolatedLights(peaks: peaks, columns: columns, rows: rows, knee: 0.9)
    }

    private static func weight(_ lights: IsolatedLights, _ x: Int, _ y: Int) -> Float { lights.weights[y * columns + x] }

    @Test("a round spot is a light, larger ones less and less, and a large one is not", arguments: [(1, 1.0), (2, 1), (3, 0.5), (12, 0)])
    func spot(radius: Int, expected: Float) {
        let lights = Self.weights { x, y in (x - 60) * (x - 60) + (y - 30) * (y - 30) <= radius * radius }
        let middle = Self.weight(lights, 60, 30)
        #expect(expected == 0.5 ? middle > 0 && middle < 1 : middle == expected, "\(middle)")
    }

    @Test("a wall, its corner and its edge, a shirt and a thin bar of any direction are none")
    func white() {
        let shapes: [(Int, Int) -> Bool] = [
            { x, _ in x > 80 }, { x, y in x > 80 && y > 30 }, { x, y in (20..<50).contains(x) && y > 40 }, { x, _ in (40..<42).contains(x) },
            { _, y in (30..<32).contains(y) }, { x, y in abs(x - y) < 2 }, { x, y in abs(x + y - 80) < 2 },
        ]
        for (index, shape) in shapes.enumerated() { #expect(Self.weights(shape).isEmpty, "shape \(index)") }
    }

    @Test("a line of lettering is none, across or down; spots in a row are lights")
    func lettering() {
        let isStroke: (Int, Int) -> Bool = { x, y in (30..<90).contains(x) && (20..<24).contains(y) && (x + y / 3) % 2 == 0 }
        #expect(Self.weights(isStroke).weights.max() ?? 1 < 0.05)
        #expect(Self.weights { x, y in isStroke(y + 25, x) }.weights.max() ?? 1 < 0.05)
        let spots = Self.weights { x, y in (30..<90).contains(x) && y == 21 && x % 6 == 0 }
        for x in stride(from: 30, to: 90, by: 6) { #expect(Self.weight(spots, x, 21) == 1) }
    }

    @Test("a spot before something almost as bright is none, and one below the knee is none")
    func contrast() {
        let spot: (Int, Int) -> Bool = { x, y in x == 60 && y == 30 }
        #expect(Self.weights(spot, dark: 240).isEmpty)
        #expect(Self.weight(Self.weights(spot, dark: 120), 60, 30) == 1)
        let dim = (0..<Self.columns * Self.rows).map { spot($0 % Self.columns, $0 / Self.columns) ? UInt8(200) : 10 }
        #expect(IsolatedLights(peaks: dim, columns: Self.columns, rows: Self.rows, knee: 0.9).isEmpty)
    }

    // Every segment of every direction, value by value.
    @Test("Openings by segments are what their definition says", arguments: [1, 2, 3, 5, 8, 13])
    func definition(length: Int) {
        let (columns, rows) = (23, 17)
        let values = (0..<columns * rows).map { UInt8(TestPicture.hash($0, 7) % 256) }
        func value(_ x: Int, _ y: Int) -> UInt8 { (0..<columns).contains(x) && (0..<rows).contains(y) ? values[y * columns + x] : 0 }
        let diagonal = LineOpenings.diagonal(length)
        let expected = (0..<columns * rows).map { index in
            [(1, 0, length), (0, 1, length), (1, 1, diagonal), (-1, 1, diagonal)].map { dx, dy, count in
                (0..<count).map { first in
                    (0..<count).map { value(index % columns + ($0 - first) * dx, index / columns + ($0 - first) * dy) }.min()!
                }.max()!
            }.max()!
        }
        var openings = LineOpenings(values, columns: columns, rows: rows, lengths: [length])
        for index in values.indices {
            let isBelow = openings.find(at: index, below: 255)
            #expect(isBelow ? openings.results[0] == expected[index] : expected[index] == 255)
        }
    }

    @Test("Openings in long runs along rows are enough, as they are found to be one by one")
    func runs() {
        let (columns, rows, lengths) = (40, 24, [4, 7])
        let values = (0..<columns * rows).map { index -> UInt8 in
            let (x, y) = (index % columns, index / columns)
            let isWhite = (5..<21).contains(x) && (4..<15).contains(y) || x % 9 < 6 && y > 18
            return isWhite ? 225 + UInt8(TestPicture.hash(index, 3) % 31) : UInt8(TestPicture.hash(index, 5) % 120)
        }
        var (known, looked) = (
            LineOpenings(values, columns: columns, rows: rows, lengths: lengths, level: 225),
            LineOpenings(values, columns: columns, rows: rows, lengths: lengths)
        )
        var enough = 0
        for index in values.indices where values[index] >= 225 {
            let isBelow = looked.find(at: index, below: values[index] - 30)
            #expect(known.find(at: index, below: values[index] - 30) == isBelow)
            if isBelow { #expect(known.results == looked.results) } else { enough += 1 }
        }
        #expect((100..<values.count { $0 >= 225 }).contains(enough))
    }

    @Test(
        "The brightest channel of each square is found in every format",
        arguments: TestPicture.formats + [kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, TestPicture.wide])
    func peaks(format: OSType) throws {
        let image = CVPixelBuffer(width: 18, height: 10, pixelFormat: format)
        let coding = try #require(PictureFormat(image))
        let isDeep = coding.layout == .deep
        // Red at (9, 6), in the third square of the second row, before grey.
        for y in 0..<10 {
            for x in 0..<18 {
                let colour: SIMD4<Float> = x / 2 == 4 && y / 2 == 3 ? [1, 0, 0, 0] : [0.25, 0.25, 0.25, 0]
                if coding.layout == .wide {
                    let row = image.plane(0).row(y, as: UInt16.self)
                    for (channel, value) in [colour.x, colour.y, colour.z, 1].enumerated() { row[4 * x + channel] = UInt16(value * 65535) }
                    continue
                }
                if !coding.isPlanar {
                    let row = image.plane(0).row(y, as: UInt8.self)
                    for (channel, value) in [colour.z, colour.y, colour.x, 1].enumerated() { row[4 * x + channel] = UInt8(value * 255) }
                    continue
                }
                let codes = coding.codes(colour)
                for (plane, at, line, code) in [(0, x, y, codes.x), (1, x & ~1, y / 2, codes.y), (1, x | 1, y / 2, codes.z)] {
                    if isDeep {
                        image.plane(plane).row(line, as: UInt16.self)[at] = UInt16(code) << 6
                    } else {
                        image.plane(plane).row(line, as: UInt8.self)[at] = UInt8(code)
                    }
                }
            }
        }
        let peaks = BlockPeaks(image, format: coding, side: 4, columns: 5, rows: 3)
        for index in 0..<15 {
            let expected = index == 5 + 2 ? 255 : 64
            #expect(abs(Int(peaks.codes[index]) - expected) <= 3, "square \(index): \(peaks.codes[index])")
        }
    }
}

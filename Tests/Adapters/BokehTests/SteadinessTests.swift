import Bokeh
import CoreVideo
import Foundation
import Optics
import Pipeline
import Testing

@Suite("A lens over time", .validated)
struct SteadinessTests {
    private static let (width, height) = (320, 180)

    /// Wall far behind, a slanted floor through the focus, a card in focus, a bar in front; moved to the right by `shift` pixels.
    private static func disparity(shift: Int = 0, noise: (Int, Int) -> Float = { _, _ in 0 }) -> DisparityMap {
        TestPicture.disparity(width, height) { x, y in
            let at = x - shift
            let behind: Float = y > 100 ? 0.1 + Float(y - 100) * 0.005 : 0.1
            let here: Float = (30..<60).contains(at) ? 0.9 : (130..<200).contains(at) && (40..<140).contains(y) ? 0.5 : behind
            return here + noise(x, y)
        }
    }

    /// Waves of several lengths, none shorter than ten pixels.
    private static func image(shift: Int = 0) -> CVPixelBuffer {
        TestPicture.bgra(width, height) { x, y in
            let (u, v) = (Double(x - shift), Double(y))
            let value = 120 + 25 * sin(u * 0.45 + v * 0.15) + 25 * sin(v * 0.45 - u * 0.2) + 50 * sin(u * 0.11 + 1) * cos(v * 0.07)
            return [UInt8(value), UInt8(value * 0.8 + 20), UInt8(250 - value)]
        }
    }

    private static func circle(_ radius: Double) -> CircleOfConfusion { CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 2 * radius) }

    /// Red, green and blue of the pixels within `x` and all rows but 30 at either end.
    private static func codes(_ picture: CVPixelBuffer, _ x: Range<Int>) -> [Double] {
        (30..<height - 30).flatMap { y in
            x.flatMap { x in
                let colour = TestPicture.colour(picture, x, y)
                return [Double(colour.x), Double(colour.y), Double(colour.z)]
            }
        }
    }

    @Test("draws a moved picture as the picture, moved", arguments: [1, 2, 3])
    func shift(by shift: Int) throws {
        let lens = try SharedLens.plain.get()
        let still = try lens.render(Self.image(), disparity: Self.disparity(), circle: Self.circle(40))
        let moved = try lens.render(Self.image(shift: shift), disparity: Self.disparity(shift: shift), circle: Self.circle(40))
        func decibels(_ x: Range<Int>) -> Double {
            let pairs = zip(Self.codes(still, x), Self.codes(moved, x.lowerBound + shift..<x.upperBound + shift))
            let squares = pairs.map { ($0 - $1) * ($0 - $1) }
            return 10 * log10(255 * 255 * Double(squares.count) / max(squares.reduce(0, +), 1))
        }
        #expect(decibels(80..<280) >= 55)
        // The scene that the bar hides is guessed from a pyramid, whose grid does not move along. Measured 39 to 40.
        #expect(decibels(30..<80) >= 37)
    }

    @Test("hardly flickers with noise in the disparity, a radius of half a pixel")
    func noise() throws {
        let lens = try SharedLens.plain.get()
        let frames = try (0..<6).map { frame in
            let map = Self.disparity { x, y in
                // A sum of four even draws: standard deviation 0.01.
                let draws = (0..<4).map { Float(TestPicture.hash(x + 331 * $0, y + 571 * frame) % 1024) / 1024 - 0.5 }
                return draws.reduce(0, +) * 0.01 * 1.732
            }
            return Self.codes(try lens.render(Self.image(), disparity: map, circle: Self.circle(53)), 30..<290)
        }
        var sum = 0.0
        for index in frames[0].indices {
            let values = frames.map { $0[index] }
            let mean = values.reduce(0, +) / 6
            sum += (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 5).squareRoot()
        }
        #expect(sum / Double(frames[0].count) < 0.6)
    }

    @Test("opens its aperture and pulls its focus without popping", arguments: [false, true])
    func ramp(focus: Bool) throws {
        let lens = try SharedLens.plain.get()
        let frames = try (0..<9).map { frame in
            let circle =
                focus
                ? CircleOfConfusion(focusDisparity: 0.5 - 0.002 * Double(frame), diameterPerDisparity: 80) : Self.circle(40 + Double(frame))
            return Self.codes(try lens.render(Self.image(), disparity: Self.disparity(), circle: circle), 30..<290)
        }
        var bends: [Double] = []
        for frame in 1..<8 {
            for index in frames[0].indices { bends.append(abs(frames[frame - 1][index] - 2 * frames[frame][index] + frames[frame + 1][index])) }
        }
        bends.sort()
        let (most, jumps) = (bends[bends.count * 999 / 1000], Double(bends.count { $0 > 10 }) / Double(bends.count))
        #expect(most <= 5)
        #expect(jumps < 0.0005)
    }
}

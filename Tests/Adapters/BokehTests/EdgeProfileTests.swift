import Bokeh
import CoreVideo
import Foundation
import Optics
import Pipeline
import Testing

/// The share of a disc of `radius` that lies beyond a straight edge whose distance from the middle is `distance`, signed.
private func shareBeyond(_ distance: Double, radius: Double) -> Double {
    let at = min(max(distance / radius, -1), 1)
    return 0.5 - (asin(at) + at * (1 - at * at).squareRoot()) / .pi
}

@Suite("A straight edge out of focus", .validated)
struct EdgeProfileTests {
    /// The radius of the disc that blurred a vertical black and white edge in the middle of a picture: from where its light is 90 % to where
    /// it is 10 %, a disc's light passes 1.374 radii.
    private static func radius(_ picture: CVPixelBuffer) throws -> Double {
        let (width, height) = picture.size
        let profile = (0..<width).map { x in (-4..<4).reduce(0) { $0 + TestPicture.light(picture, x, height / 2 + $1) } / 8 }
        func crossing(_ level: Double) throws -> Double {
            let after = try #require(profile.firstIndex { $0 < level })
            return Double(after) - (level - profile[after]) / (profile[after - 1] - profile[after])
        }
        return try (crossing(0.1) - crossing(0.9)) / 1.374
    }

    /// The edge at infinity, seen by an 85 mm lens focused at `focus` (1/m), `width` pixels wide.
    private static func measure(fNumber: Double, focus: Double, width: Int) throws -> (measured: Double, due: Double) {
        let height = width / 2
        let image = TestPicture.bgra(width, height) { x, _ in x < width / 2 ? [255, 255, 255] : [0, 0, 0] }
        let circle = Lens(focalLength: 85, fNumber: fNumber).circleOfConfusion(focusDisparity: focus, pictureWidth: width)
        let drawn = try SharedLens.plain.get().render(image, disparity: TestPicture.disparity(width, height) { _, _ in 0 }, circle: circle)
        return (try radius(drawn), circle.diameter(at: 0) / 2)
    }

    @Test("is drawn twice as wide with half the f-number, and with twice the picture's width", arguments: [(8.0, 1.0), (4, 0.5), (4, 1), (2, 1)])
    func scaling(fNumber: Double, focus: Double) throws {
        let plain = try Self.measure(fNumber: fNumber, focus: focus, width: 256)
        let open = try Self.measure(fNumber: fNumber / 2, focus: focus, width: 256)
        let large = try Self.measure(fNumber: fNumber, focus: focus, width: 512)
        for one in [plain, open, large] { #expect(abs(one.measured / one.due - 1) < 0.06, "\(one)") }
        // Discs are 2 to 5 % too small or too large: measured 1.89 to 2.15.
        #expect(abs(open.measured / plain.measured - 2) < 0.16)
        #expect(abs(large.measured / plain.measured - 2) < 0.16)
    }

    @Test("makes a picture twice as large look the same", arguments: [8.0, 16])
    func look(radius: Double) throws {
        func draw(_ size: Int) throws -> CVPixelBuffer {
            let (width, height, scale) = (160 * size, 90 * size, 1 / Double(size))
            func at(_ x: Int) -> Double { (Double(x) + 0.5) * scale }
            let image = TestPicture.bgra(width, height) { x, y in
                let (u, v) = (at(x), at(y))
                let value = 120 + 40 * sin(u * 0.35 + v * 0.1) + 50 * sin(u * 0.11 + 1) * cos(v * 0.09)
                return [UInt8(value), UInt8(value * 0.8 + 20), UInt8(250 - value)]
            }
            let map = TestPicture.disparity(width, height) { x, y in
                let (u, v) = (at(x), at(y))
                return (20..<40).contains(u) ? 0.9 : (80..<120).contains(u) && (20..<70).contains(v) ? 0.5 : 0.1
            }
            let circle = CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: radius / 0.4 * Double(size))
            return try SharedLens.plain.get().render(image, disparity: map, circle: circle)
        }
        let (small, large) = (try draw(1), try draw(2))
        var squares = 0.0
        for y in 0..<90 {
            for x in 0..<160 {
                let four = [(0, 0), (1, 0), (0, 1), (1, 1)].reduce(0) { $0 + TestPicture.light(large, 2 * x + $1.0, 2 * y + $1.1) } / 4
                squares += (four - TestPicture.light(small, x, y)) * (four - TestPicture.light(small, x, y))
            }
        }
        let decibels = -10 * log10(squares / (160 * 90))
        #expect(decibels > 38)
    }

    /// Direction in which a near red surface's edge runs through a green picture in focus; distances from it, positive on the red side.
    enum Way: CaseIterable {
        case upright, level, slanted

        func distance(_ x: Int, _ y: Int) -> Double {
            let (u, v) = (Double(x) - 63.5, Double(y) - 63.5)
            return self == .upright ? u : self == .level ? v : (u * 0.8 + v * 0.6)
        }
    }

    @Test(
        "of something near lies half over what is in focus at its silhouette, fades alike both ways, and shows inside it what it hides",
        arguments: [4.0, 8, 16, 24], Way.allCases)
    func nearEdge(radius: Double, way: Way) throws {
        let image = TestPicture.bgra(128, 128) { x, y in way.distance(x, y) > 0 ? [255, 0, 0] : [0, 255, 0] }
        let map = TestPicture.disparity(128, 128) { x, y in way.distance(x, y) > 0 ? 0.9 : 0.5 }
        let circle = CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 2 * radius / 0.4)
        let drawn = try SharedLens.plain.get().render(image, disparity: map, circle: circle)
        var (worst, hidden, sums, counts) = (0.0, 0.0, [Double](repeating: 0, count: 81), [Double](repeating: 0, count: 81))
        for y in 32..<96 {
            for x in 32..<96 {
                let distance = way.distance(x, y)
                let (red, green) = (TestPicture.light(drawn, x, y, channel: 0), TestPicture.light(drawn, x, y, channel: 1))
                let due = shareBeyond(-distance, radius: radius)
                worst = max(worst, abs(red - due))
                if distance > 0 { hidden = max(hidden, abs(green - (1 - due))) }
                let slot = Int((distance + 40).rounded(.down))
                if sums.indices.contains(slot) { (sums[slot], counts[slot]) = (sums[slot] + red, counts[slot] + 1) }
            }
        }
        // One pixel wide, from -40 to 40; a place and the one across the edge have all the light together.
        var across = 0.0
        for away in 0..<Int(radius) {
            let (outside, inside) = (39 - away, 40 + away)
            let pair: Double = sums[outside] / counts[outside] + sums[inside] / counts[inside]
            across = max(across, abs(pair - 1))
        }
        #expect(worst < 0.06 && hidden < 0.06)
        #expect(across < 0.03)
    }

    @Test("between near and far is blurred from side to side, also by a small map, whose values between lie in focus", arguments: [160, 107, 64])
    func betweenNearAndFar(mapWidth: Int) throws {
        let isNear = { (x: Double, y: Double) in x < 0.5 + (y - 0.5) * 0.1 }
        func at(_ index: Int, of count: Int) -> Double { (Double(index) + 0.5) / Double(count) }
        let image = TestPicture.bgra(160, 90) { x, y in isNear(at(x, of: 160), at(y, of: 90)) ? [30, 30, 30] : [220, 220, 220] }
        let mapHeight = mapWidth * 9 / 16
        let map = TestPicture.disparity(mapWidth, mapHeight) { x, y in isNear(at(x, of: mapWidth), at(y, of: mapHeight)) ? 0.6 : 0.4 }
        let circle = CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 160)
        let drawn = try SharedLens.plain.get().render(image, disparity: map, circle: circle)
        let sharp = 220 - 30
        for y in 20..<70 {
            let row = (20..<140).map { Int(TestPicture.colour(drawn, $0, y).y) }
            let steepest = zip(row, row.dropFirst()).map { abs($1 - $0) }.max() ?? 0
            let deepest = zip(row, row.dropFirst()).map { $0 - $1 }.max() ?? 0
            #expect(steepest < sharp / 2 && deepest < 6, "row \(y): \(row)")
        }
    }

    @Test("of a surface that leaves the focus unevenly shows nothing of what is behind it")
    func unevenSurface() throws {
        let isSurface = { (x: Int) in x < 120 }
        let image = TestPicture.bgra(160, 90) { x, _ in isSurface(x) ? [40, 40, 40] : [250, 250, 250] }
        let map = TestPicture.disparity(160, 90) { x, y in
            isSurface(x) ? 0.51 + 0.012 * Float(TestPicture.hash(x / 4, y / 4) % 1000) / 1000 : 0.2
        }
        let circle = CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 200)
        let lenses: [any BokehRenderer] = [try SharedLens.plain.get(), ReferenceBokehRenderer(options: BokehOptions(highlights: 0))]
        for lens in lenses {
            let drawn = try lens.render(image, disparity: map, circle: circle)
            // As far from its silhouette as the fill reaches: 143 at worst where what is slightly in front counted as a silhouette.
            let brightest = (10..<80).flatMap { y in (10..<92).map { TestPicture.colour(drawn, $0, y).y } }.max() ?? 0
            #expect(brightest < 50, "\(brightest)")
        }
    }
}

import Bokeh
import CoreVideo
import Optics
import Pipeline
import Testing

@Suite("What a lens must never get wrong", .validated)
struct LensInvariantTests {
    private let circle = CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 50)

    /// Near disc left, focused middle, far wall: every layer takes part.
    private func scene(_ width: Int, _ height: Int) -> DisparityMap {
        TestPicture.disparity(width, height) { x, _ in x < width / 4 ? 0.9 : x < width * 3 / 4 ? 0.5 : 0.1 }
    }

    @Test("An aperture wide shut gives the picture back, bit for bit", arguments: TestPicture.formats)
    func closedAperture(format: OSType) throws {
        let lens = try SharedLens.shining.get()
        let image = TestPicture.textured(62, 38, format)
        let closed = CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 0)
        let drawn = try lens.render(image, disparity: scene(62, 38), circle: closed)
        #expect(TestPicture.bytes(drawn) == TestPicture.bytes(image))
        #expect(lens.validationMessages == [])
    }

    @Test("What is in focus and out of the near layer's reach keeps its bits", arguments: TestPicture.formats)
    func sharpBits(format: OSType) throws {
        let lens = try SharedLens.shining.get()
        let image = TestPicture.textured(128, 64, format)
        let drawn = try lens.render(image, disparity: scene(128, 64), circle: circle)
        for y in 0..<64 {
            let (a, b): (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt8>) = (drawn.plane(0).row(y), image.plane(0).row(y))
            let bytes = format == kCVPixelFormatType_32BGRA ? 4 : 1
            #expect((46 * bytes..<96 * bytes).allSatisfy { a[$0] == b[$0] }, "row \(y)")
            #expect((0..<32 * bytes).contains { a[$0] != b[$0] }, "row \(y)")
        }
    }

    @Test("A plain picture stays plain, whatever the disparity", arguments: [SIMD3<UInt8>(128, 128, 128), [250, 240, 30], [3, 9, 1]])
    func plainStaysPlain(colour: SIMD3<UInt8>) throws {
        let lens = try SharedLens.shining.get()
        let image = TestPicture.bgra(96, 64) { _, _ in colour }
        let wild = TestPicture.disparity(96, 64) { x, y in Float(TestPicture.hash(x / 9, y / 7) % 100) / 100 }
        let drawn = try lens.render(image, disparity: wild, circle: circle)
        // One code: rounding of light to 2⁻¹⁴ and back to eight bits.
        #expect(TestPicture.difference(drawn, image) <= 1)
    }

    @Test("A focused bright card does not bleed onto the blurred dark behind it")
    func noBleeding() throws {
        let image = TestPicture.bgra(96, 64) { x, y in x > 30 && x < 60 && y > 20 && y < 50 ? [255, 0, 0] : [0, 0, 0] }
        let map = TestPicture.disparity(96, 64) { x, y in x > 30 && x < 60 && y > 20 && y < 50 ? 0.5 : 0.1 }
        let drawn = try SharedLens.shining.get().render(image, disparity: map, circle: circle)
        for y in 0..<64 {
            for x in 0..<96 where !(x > 30 && x < 60 && y > 20 && y < 50) { #expect(TestPicture.colour(drawn, x, y).x < 1) }
        }
    }

    @Test("A blurred card before a wall blurred more neither spills beyond its own blur nor darkens the wall", arguments: [6.0, 12], [false, true])
    func noHalo(radius: Double, isDark: Bool) throws {
        func isCard(_ x: Int, _ y: Int) -> Bool { (64..<128).contains(x) && (24..<104).contains(y) }
        let image = TestPicture.bgra(192, 128) { isCard($0, $1) == isDark ? [0, 0, 0] : [255, 255, 255] }
        let map = TestPicture.disparity(192, 128) { isCard($0, $1) ? Float(0.5 - radius / 75) : 0.1 }
        let wide = CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 150)
        let drawn = try SharedLens.plain.get().render(image, disparity: map, circle: wide)
        func card(_ x: Int) -> Double { isDark ? 1 - TestPicture.light(drawn, x, 64) : TestPicture.light(drawn, x, 64) }
        // The wall has a radius of 30 pixels; large discs have a value for 4 x 4.
        for away in Int(radius) + 6..<60 { #expect(card(63 - away) < 0.01, "\(away) pixels from the card: \(card(63 - away))") }
        #expect(card(96) > 0.98)
        #expect(abs((card(63) + card(64)) / 2 - 0.5) < 0.1, "half at the silhouette: \(card(63)), \(card(64))")
        let outside = (0..<20).map { card(63 - $0) }
        #expect(zip(outside, outside.dropFirst()).allSatisfy { $0 >= $1 - 0.02 }, "\(outside)")
    }

    @Test("Half black, half white blurs to code 188: light is linear")
    func linearLight() throws {
        let image = TestPicture.bgra(128, 64) { x, _ in x < 64 ? [255, 255, 255] : [0, 0, 0] }
        let drawn = try SharedLens.plain.get().render(image, disparity: TestPicture.disparity(128, 64) { _, _ in 0.1 }, circle: circle)
        let middle = (TestPicture.light(drawn, 63, 32) + TestPicture.light(drawn, 64, 32)) / 2
        #expect(abs(middle - 0.5) < 0.015)
        #expect(abs(Int(TestPicture.colour(drawn, 63, 32).y) - 188) <= 8)
    }

    @Test("The same input gives the same bits, run after run and lens after lens", arguments: TestPicture.formats)
    func determinism(format: OSType) throws {
        let image = TestPicture.textured(96, 64, format)
        let first = try SharedLens.shining.get().render(image, disparity: scene(96, 64), circle: circle)
        let again = try SharedLens.shining.get().render(image, disparity: scene(96, 64), circle: circle)
        let other = try VulkanBokehRenderer().render(image, disparity: scene(96, 64), circle: circle)
        #expect(TestPicture.bytes(first) == TestPicture.bytes(again))
        #expect(TestPicture.bytes(first) == TestPicture.bytes(other))
    }
}

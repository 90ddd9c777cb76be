@testable import Bokeh
import CoreVideo
import Optics
import Pipeline
import Testing

@Suite("The lens and its CPU twin")
struct TwinTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var size: (Int, Int)
        var map: (Int, Int)
        var format: OSType
        var diameter: Double
        var testDescription: String { "\(size.0)x\(size.1), map \(map.0)x\(map.1), format \(format), \(diameter) px" }
    }

    static let cases: [Case] = TestPicture.formats.flatMap { format in
        [
            Case(size: (2, 2), map: (2, 2), format: format, diameter: 10),
            Case(size: (6, 4), map: (6, 4), format: format, diameter: 20),
            Case(size: (16, 16), map: (8, 8), format: format, diameter: 16),
            Case(size: (64, 64), map: (64, 64), format: format, diameter: 12),
            Case(size: (62, 46), map: (62, 46), format: format, diameter: 45),
            Case(size: (64, 48), map: (32, 24), format: format, diameter: 70),
            Case(size: (64, 64), map: (64, 64), format: format, diameter: 400),
        ]
    }

    /// Far wall, a slanted floor through the focus, a near disc.
    private static func disparity(_ size: (Int, Int)) -> DisparityMap {
        TestPicture.disparity(size.0, size.1) { x, y in
            let (u, v) = (Float(x) / Float(size.0), Float(y) / Float(size.1))
            if (u - 0.7) * (u - 0.7) + (v - 0.4) * (v - 0.4) < 0.05 { return 0.9 }
            return v > 0.5 ? 0.1 + (v - 0.5) : 0.1
        }
    }

    @Test("agree where the far layer's depth jumps, within two codes", arguments: TestPicture.formats, [20.0, 90, 160])
    func jump(format: OSType, diameter: Double) throws {
        let image = TestPicture.textured(112, 80, format)
        let map = TestPicture.disparity(112, 80) { x, y in x > 40 && y > 30 ? 0.25 : x < 12 && y < 12 ? 0.9 : 0.02 + Float(y) / 4000 }
        let circle = CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: diameter)
        let options = BokehOptions(highlights: 0)
        let geometry = try LensGeometry(image: image, disparity: map)
        let parameters = geometry.parameters(circle: circle, options: options)
        let hasHighlights = geometry.hasHighlights(parameters)
        let plan = LensPlan(
            radii: TileRadii(image, geometry: geometry, parameters: parameters, disparity: map),
            scale: geometry.scale, isRound: true, hasHighlights: hasHighlights)
        #expect(plan.far.upsampledBroad.isEmpty == (diameter < 160 || hasHighlights))
        let drawn = try SharedLens.plain.get().render(image, disparity: map, circle: circle)
        let expected = try ReferenceBokehRenderer(options: options).render(image, disparity: map, circle: circle)
        #expect(TestPicture.difference(drawn, expected) <= 2)
    }

    // Three codes with highlights: small discs of expanded lights, in front or behind, are off by so much in one pixel of tens of thousands.
    @Test("agree deep inside what is near, whatever was drawn before", arguments: [30.0, 90], [0.0, 4.0])
    func inside(diameter: Double, highlights: Double) throws {
        let lens = try (highlights == 0 ? SharedLens.plain : SharedLens.shining).get()
        let twin = ReferenceBokehRenderer(options: BokehOptions(highlights: highlights))
        let image = TestPicture.textured(320, 192, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        let circle = CircleOfConfusion(focusDisparity: 0.4, diameterPerDisparity: diameter)
        let slanted = TestPicture.disparity(320, 192) { x, y in x < 230 ? 0.6 + Float(y) / 400 : 0.1 }
        let others = [
            TestPicture.disparity(320, 192) { x, _ in x < 150 ? 0.05 : 0.4 }, TestPicture.disparity(320, 192) { _, _ in 0.9 },
            TestPicture.disparity(320, 192) { _, y in 0.45 + Float(y) / 400 },
        ]
        let drawn = TestPicture.bytes(try lens.render(image, disparity: slanted, circle: circle))
        for map in [slanted] + others {
            let (own, expected) = (
                try lens.render(image, disparity: map, circle: circle), try twin.render(image, disparity: map, circle: circle)
            )
            #expect(TestPicture.difference(own, expected) <= (highlights == 0 ? 2 : 3))
            #expect(TestPicture.bytes(try lens.render(image, disparity: slanted, circle: circle)) == drawn)
        }
        #expect(lens.validationMessages == [])
    }

    // Two codes: the shader's transfer curves are off by 0.06 code, its layers by 2⁻¹⁵ of white, its marks by 1/254.
    @Test("agree within two codes of 255", arguments: cases, [0.0, 4.0])
    func agree(_ it: Case, highlights: Double) throws {
        let lens = try (highlights == 0 ? SharedLens.plain : SharedLens.shining).get()
        let twin = ReferenceBokehRenderer(options: BokehOptions(highlights: highlights))
        let image = TestPicture.textured(it.size.0, it.size.1, it.format)
        let circle = CircleOfConfusion(focusDisparity: 0.4, diameterPerDisparity: it.diameter)
        let map = Self.disparity(it.map)
        let drawn = try lens.render(image, disparity: map, circle: circle)
        let expected = try twin.render(image, disparity: map, circle: circle)
        #expect(TestPicture.difference(drawn, expected) <= 2)
        #expect(TestPicture.bytes(drawn) != TestPicture.bytes(image) || it.size.0 < 6)
        #expect(lens.validationMessages == [])
    }
}

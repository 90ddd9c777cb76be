@testable import Bokeh
import CoreVideo
import Foundation
import Optics
import Synchronization
import Testing

@Suite("The shape of the opening", .validated)
struct ApertureTests {
    /// A small white light at (x, y) of a black picture, blurred with a radius of 20.
    private static func draw(_ options: BokehOptions, near: Bool, size: (Int, Int) = (160, 96), x: Int = 80, y: Int = 48) throws -> CVPixelBuffer {
        let image = TestPicture.bgra(size.0, size.1) { (x - 1...x + 2).contains($0) && (y - 1...y + 2).contains($1) ? [255, 255, 255] : [0, 0, 0] }
        let map = TestPicture.disparity(size.0, size.1) { _, _ in near ? 1 : 0 }
        return try lens(options).render(image, disparity: map, circle: CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 80))
    }

    /// One lens for each shape: a driver takes its time to compile one.
    private static func lens(_ options: BokehOptions) throws -> VulkanBokehRenderer {
        try lenses.withLock { lenses in
            if let lens = lenses.first(where: { $0.options == options })?.lens { return lens }
            let lens = try VulkanBokehRenderer(options: options, validation: true)
            lenses.append((options, lens))
            return lens
        }
    }

    private static let lenses = Mutex<[(options: BokehOptions, lens: VulkanBokehRenderer)]>([])

    @Test("draws an iris of blades as its polygon, in front of the focus upside down", arguments: [5, 6], [false, true])
    func polygon(blades: Int, near: Bool) throws {
        let drawn = try Self.draw(BokehOptions(highlights: 0, blades: blades), near: near)
        let light = TestPicture.light(drawn, 80, 48)
        let area = Double(blades) / 2 * sin(2 * .pi / Double(blades))
        #expect(abs(light / (16 / (area * 400)) - 1) < 0.15, "an even polygon of \(area) r²: \(light)")
        var (all, inside, upsideDown) = (0.0, 0.0, 0.0)
        for y in 24..<74 {
            for x in 56..<106 {
                let value = TestPicture.light(drawn, x, y)
                let place = SIMD2(Double(x) - 80.5, Double(y) - 48.5) * (near ? -1 : 1) / 20
                all += value
                if ApertureShape.contains(place, blades: blades, cut: .zero) { inside += value }
                if ApertureShape.contains(-place, blades: blades, cut: .zero) { upsideDown += value }
            }
        }
        // Large discs have a value for 4 × 4 pixels, so a rim of some pixels is uncertain. Measured 0.90 and 0.92.
        #expect(inside > 0.89 * all, "\(inside / all)")
        #expect(blades % 2 == 0 || inside > upsideDown + 0.01 * all, "\(inside / all), \(upsideDown / all)")
    }

    @Test("narrows discs towards the corners, across the way there, and leaves the middle round")
    func catsEye() throws {
        func widths(x: Int, y: Int) throws -> (along: Double, across: Double) {
            let drawn = try Self.draw(BokehOptions(highlights: 0, catsEye: 1), near: false, size: (480, 288), x: x, y: y)
            let way = SIMD2(Double(x) - 239.5, Double(y) - 143.5)
            let length = max((way * way).sum().squareRoot(), 1e-9)
            let unit = length < 2 ? SIMD2(1, 0) : way / length
            var (sum, along, across) = (0.0, 0.0, 0.0)
            for row in 0..<288 {
                for column in 0..<480 {
                    let light = TestPicture.light(drawn, column, row)
                    let place = SIMD2(Double(column - x) - 0.5, Double(row - y) - 0.5)
                    sum += light
                    along += light * pow((place * unit).sum(), 2)
                    across += light * pow((place * SIMD2(-unit.y, unit.x)).sum(), 2)
                }
            }
            return ((along / sum).squareRoot(), (across / sum).squareRoot())
        }
        let (corner, middle) = (try widths(x: 446, y: 254), try widths(x: 239, y: 143))
        #expect(abs(middle.along / middle.across - 1) < 0.15, "\(middle)")
        #expect(corner.along / corner.across < 0.8, "\(corner)")
        #expect(corner.across > 0.8 * middle.across, "\(corner) \(middle)")
    }

    @Test("is the same in the CPU twin", arguments: [(5, 0.0), (6, 1.0)], [12.0, 45, 150])
    func twin(shape: (blades: Int, catsEye: Double), diameter: Double) throws {
        let options = BokehOptions(highlights: 0, blades: shape.blades, catsEye: shape.catsEye)
        let lens = try Self.lens(options)
        let image = TestPicture.textured(80, 64, kCVPixelFormatType_32BGRA)
        let map = TestPicture.disparity(80, 64) { x, y in x > 50 && y < 40 ? 0.9 : y > 32 ? 0.1 + Float(y - 32) / 64 : 0.1 }
        let circle = CircleOfConfusion(focusDisparity: 0.4, diameterPerDisparity: diameter)
        let drawn = try lens.render(image, disparity: map, circle: circle)
        let twin = try ReferenceBokehRenderer(options: options).render(image, disparity: map, circle: circle)
        #expect(TestPicture.psnr(drawn, twin) > 33)
        #expect(TestPicture.bytes(drawn) != TestPicture.bytes(try SharedLens.plain.get().render(image, disparity: map, circle: circle)))
        #expect(lens.validationMessages == [])
    }

    @Test("stays plain on a plain picture, and refuses nothing but nonsense")
    func plain() throws {
        let options = BokehOptions(highlights: 0, blades: 6, catsEye: 1)
        let image = TestPicture.bgra(96, 64) { _, _ in [200, 90, 30] }
        let wild = TestPicture.disparity(96, 64) { x, y in Float(TestPicture.hash(x / 9, y / 7) % 100) / 100 }
        let circle = CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 60)
        #expect(TestPicture.difference(try Self.lens(options).render(image, disparity: wild, circle: circle), image) <= 1)
        #expect(BokehOptions(blades: 2).blades == 0 && BokehOptions(blades: 99).blades == 16 && BokehOptions(catsEye: 7).catsEye == 1)
    }
}

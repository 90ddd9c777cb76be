@testable import Bokeh
import CoreVideo
import Foundation
import Optics
import Pipeline
import Testing

@Suite("Breathing, axial colour and onion rings", .validated)
struct LensLookTests {
    static let formats = TestPicture.formats + [kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, TestPicture.wide]

    @Test("a picture grows by 1 / (1 - f d) about its middle, and no further than a quarter", arguments: [0.0, 0.5, 2, 9])
    func growth(disparity: Double) throws {
        var options = BokehOptions(highlights: 0)
        options.breathing = 100
        let lens = try VulkanBokehRenderer(options: options, validation: true)
        // A grey square 60 pixels wide about the middle.
        let image = TestPicture.bgra(240, 144) { x, y in
            abs(x - 119) < 31 && abs(y - 71) < 31 && x != 89 && y != 41 ? [200, 200, 200] : [40, 40, 40]
        }
        let circle = CircleOfConfusion(focusDisparity: disparity, diameterPerDisparity: 0)
        let drawn = try lens.render(image, disparity: TestPicture.disparity(240, 144) { _, _ in Float(disparity) }, circle: circle)
        let bright = (0..<240).reduce(0.0) { $0 + (Double(TestPicture.colour(drawn, $1, 72).y) - 40) / 160 }
        let expected = 60 * min(1 / max(1 - 0.1 * disparity, 0.8), 1.25)
        #expect(abs(bright - expected) < 0.6, "\(bright), not \(expected)")
        #expect(disparity > 0 || TestPicture.bytes(drawn) == TestPicture.bytes(image), "at infinity nothing changes")
        #expect(lens.validationMessages == [])
    }

    @Test("what breathes has blur, vignetting and grain too, in every format", arguments: formats)
    func together(format: OSType) throws {
        var options = BokehOptions(highlights: 0, vignetting: 24)
        (options.breathing, options.grain) = (85, .match)
        let lens = try VulkanBokehRenderer(options: options, validation: true)
        let image = TestPicture.textured(160, 96, format)
        let map = TestPicture.disparity(160, 96) { x, _ in x > 60 ? 0.1 : 0.5 }
        let drawn = try lens.render(image, disparity: map, circle: CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 50))
        let still = try lens.render(image, disparity: map, circle: CircleOfConfusion(focusDisparity: 0, diameterPerDisparity: 0))
        #expect(TestPicture.bytes(drawn) != TestPicture.bytes(still))
        #expect(lens.validationMessages == [])
    }

    @Test(
        "behind the focus a light gets a green rim, in front of it a magenta one, and halfway none", arguments: [(0.1, 1.0), (0.9, -1), (0.475, 0)])
    func rims(disparity: Double, sign: Double) throws {
        var options = BokehOptions(highlights: 0)
        options.axialColor = 0.05
        let lens = try VulkanBokehRenderer(options: options, validation: true)
        let image = TestPicture.bgra(128, 128) { x, y in abs(x - 63) < 5 && abs(y - 63) < 5 ? [255, 255, 255] : [0, 0, 0] }
        let map = TestPicture.disparity(128, 128) { _, _ in Float(disparity) }
        let drawn = try lens.render(image, disparity: map, circle: CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 100))
        // Green is blurred by a radius of 20, red and blue by 17.5 behind the focus and 22.5 in front of it.
        func reach(_ channel: Int) -> Double {
            let light = (0..<128).map { TestPicture.light(drawn, $0, 63, channel: channel) }
            let sum = light.reduce(0, +)
            return light.indices.reduce(0) { $0 + light[$1] * abs(Double($1) - 63) } / sum
        }
        let difference = reach(1) - reach(0)
        #expect(sign == 0 ? abs(difference) < 0.2 : difference * sign > 0.5, "green reaches \(difference) pixels farther than red")
        #expect(abs(reach(0) - reach(2)) < 0.1)
        #expect(lens.validationMessages == [])
    }

    @Test("axial colour agrees with the CPU twin and leaves what is in focus alone", arguments: formats)
    func twin(format: OSType) throws {
        var options = BokehOptions(highlights: 0)
        options.axialColor = 0.03
        let lens = try VulkanBokehRenderer(options: options, validation: true)
        let image = TestPicture.textured(128, 96, format)
        let map = TestPicture.disparity(128, 96) { x, y in x < 32 ? 0.485 : y < 30 && x > 90 ? 0.9 : 0.1 }
        let circle = CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 40)
        let pending = try lens.begin(image, disparity: map, circle: circle)
        let drawn = try pending.finish()
        #expect(try pending.finish() === drawn, "joined once")
        let twin = try ReferenceBokehRenderer(options: options).render(image, disparity: map, circle: circle)
        #expect(TestPicture.psnr(drawn, twin) > 33, "\(TestPicture.psnr(drawn, twin))")
        #expect(lens.validationMessages == [])
        // As by each alone: less than three quarters of a pixel.
        guard format == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange else { return }
        for y in 0..<96 { #expect(memcmp(image.plane(0).row(y, as: UInt8.self), drawn.plane(0).row(y, as: UInt8.self), 16) == 0, "row \(y)") }
    }

    @Test("a disc of rings keeps its light and its size, brightest in the middle, and agrees with the CPU twin", arguments: [false, true])
    func rings(isNear: Bool) throws {
        var options = BokehOptions(highlights: 0)
        options.onionRings = 0.4
        let lens = try VulkanBokehRenderer(options: options, validation: true)
        let image = TestPicture.bgra(160, 160) { x, y in abs(x - 79) < 3 && abs(y - 79) < 3 ? [255, 255, 255] : [0, 0, 0] }
        let map = TestPicture.disparity(160, 160) { _, _ in isNear ? 0.9 : 0.1 }
        let circle = CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 150)
        let (drawn, even) = (
            try lens.render(image, disparity: map, circle: circle), try SharedLens.plain.get().render(image, disparity: map, circle: circle)
        )
        func sum(_ picture: CVPixelBuffer, _ isIn: (Double) -> Bool) -> Double {
            (0..<160).reduce(0) { sum, y in
                (0..<160).reduce(sum) { isIn(hypot(Double($1) - 79, Double(y) - 79)) ? $0 + TestPicture.light(picture, $1, y) : $0 }
            }
        }
        #expect(abs(sum(drawn) { _ in true } / sum(even) { _ in true } - 1) < 0.06)
        // A radius of 30: the innermost tenth of the area reaches to 9.5, the next to 13.4.
        #expect(sum(drawn) { $0 < 7 } > 1.2 * sum(even) { $0 < 7 })
        // The light is wider than a ring: .95 of the even disc's light.
        #expect(sum(drawn) { $0 > 10.5 && $0 < 12.5 } < 0.97 * sum(even) { $0 > 10.5 && $0 < 12.5 })
        #expect(sum(drawn) { $0 > 36 } < 0.02 * sum(drawn) { _ in true })
        #expect(TestPicture.psnr(drawn, try ReferenceBokehRenderer(options: options).render(image, disparity: map, circle: circle)) > 33)
        #expect(lens.validationMessages == [])
    }

    @Test("are off unless asked for")
    func off() {
        #expect(BokehOptions().breathing == nil && BokehOptions().axialColor == 0 && BokehOptions().onionRings == 0 && BokehOptions().grain == .none)
    }
}

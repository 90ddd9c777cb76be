@testable import Bokeh
import CoreVideo
import Foundation
import Optics
import Pipeline
import Testing

@Suite("Vignetting", .validated)
struct VignettingTests {
    private static let cornerPlaces = [(0, 0), (239, 0), (0, 143), (239, 143)]

    @Test("a sharp wall darkens by cos⁴ of the field angle, as much again by a cat's eye", arguments: [(26.0, 0.0), (50, 0), (50, 1)])
    func wall(focalLength: Double, catsEye: Double) throws {
        let lens = try VulkanBokehRenderer(options: BokehOptions(highlights: 0, catsEye: catsEye, vignetting: focalLength), validation: true)
        let image = TestPicture.bgra(240, 144) { _, _ in [220, 220, 220] }
        let sharp = CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 0)
        let drawn = try lens.render(image, disparity: TestPicture.disparity(240, 144) { _, _ in 0.5 }, circle: sharp)
        let middle = TestPicture.light(drawn, 120, 72)
        #expect(abs(middle / TestPicture.light(image, 120, 72) - 1) < 0.01)
        // Half a diagonal of a sensor 36 mm wide is 21 mm; two circles a radius apart share 0.391 of their area.
        let expected = pow(cos(atan(20.99 / focalLength)), 4) * (catsEye == 1 ? 0.391 : 1)
        for (x, y) in Self.cornerPlaces {
            #expect(abs(TestPicture.light(drawn, x, y) / middle / expected - 1) < 0.03, "at \(x), \(y)")
        }
        #expect(lens.validationMessages == [])
    }

    @Test(
        "is the same in the CPU twin, in blur, beside it and where lights are clipped", arguments: TestPicture.formats + [TestPicture.wide], [0.0, 4])
    func twin(format: OSType, highlights: Double) throws {
        let options = BokehOptions(highlights: highlights, vignetting: 24)
        let lens = try VulkanBokehRenderer(options: options, validation: true)
        let image = TestPicture.textured(160, 96, format)
        let map = TestPicture.disparity(160, 96) { x, y in x > 120 && y < 40 ? 0.9 : x > 60 ? 0.1 : 0.5 }
        let circle = CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 50)
        let drawn = try lens.render(image, disparity: map, circle: circle)
        let twin = try ReferenceBokehRenderer(options: options).render(image, disparity: map, circle: circle)
        // As without vignetting (TwinTests).
        #expect(TestPicture.psnr(drawn, twin) > (highlights == 0 ? 33 : 25), "\(TestPicture.psnr(drawn, twin))")
        #expect(TestPicture.psnr(drawn, image) < TestPicture.psnr(drawn, twin) - 6)
        #expect(lens.validationMessages == [])
    }

    @Test("is off unless it is asked for, and brought into 8 to 1000 mm")
    func limits() {
        #expect(BokehOptions().vignetting == nil)
        #expect(BokehOptions(vignetting: 1).vignetting == 8 && BokehOptions(vignetting: 9999).vignetting == 1000)
    }
}

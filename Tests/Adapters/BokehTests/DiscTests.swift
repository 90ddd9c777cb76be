@testable import Bokeh
import CoreVideo
import Foundation
import Optics
import Pipeline
import Testing

@Suite("A small light out of focus", .validated)
struct DiscTests {
    /// Light, centre and moments of a blurred 4 × 4 light in the middle of a 128 × 128 picture.
    private struct Spot {
        var sum = 0.0
        var meanX = 0.0
        var meanY = 0.0
        var xx = 0.0
        var yy = 0.0
        var xy = 0.0
        var peak = 0.0
        var sectors = [Double](repeating: 0, count: 12)

        init(_ picture: CVPixelBuffer) {
            for y in 0..<128 {
                for x in 0..<128 {
                    let light = TestPicture.light(picture, x, y)
                    let (dx, dy) = (Double(x) - 63.5, Double(y) - 63.5)
                    sum += light
                    meanX += light * dx
                    meanY += light * dy
                    xx += light * dx * dx
                    yy += light * dy * dy
                    xy += light * dx * dy
                    peak = max(peak, light)
                    sectors[min(Int((atan2(dy, dx) / .pi + 1) * 6), 11)] += light
                }
            }
            (meanX, meanY, xx, yy, xy) = (meanX / sum, meanY / sum, xx / sum, yy / sum, xy / sum)
        }
    }

    private static func draw(radius: Double, near: Bool) throws -> Spot {
        let image = TestPicture.bgra(128, 128) { x, y in (62...65).contains(x) && (62...65).contains(y) ? [255, 255, 255] : [0, 0, 0] }
        let map = TestPicture.disparity(128, 128) { _, _ in near ? 1 : 0 }
        let circle = CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: radius * 4)
        return Spot(try SharedLens.plain.get().render(image, disparity: map, circle: circle))
    }

    @Test("keeps its energy, stays where it is and becomes a round disc", arguments: [4.0, 7, 10, 15, 20], [false, true])
    func roundDisc(radius: Double, near: Bool) throws {
        let spot = try Self.draw(radius: radius, near: near)
        // 8-bit codes resolve the disc of the largest radius to 4 %.
        #expect(abs(spot.sum - 16) < 16 * 0.05, "energy \(spot.sum)")
        #expect(abs(spot.meanX) < 0.1 && abs(spot.meanY) < 0.1)
        let expected = radius * radius / 4 + 15.0 / 12
        // Large discs have a value for 4 × 4 pixels, and the light lies across two of these: the worst case.
        let tolerance = radius < 10 ? 0.08 : 0.15
        #expect(abs(spot.xx / expected - 1) < tolerance, "\(spot.xx) for \(expected)")
        #expect(abs(spot.yy / spot.xx - 1) < tolerance && abs(spot.xy) < 0.03 * spot.xx, "\(spot.yy / spot.xx), \(spot.xy / spot.xx)")
        let mean = spot.sectors.reduce(0, +) / 12
        // Twelve sectors of a smaller disc hold too few pixels to compare.
        #expect(radius < 7 || spot.sectors.allSatisfy { abs($0 / mean - 1) < 0.08 }, "\(spot.sectors.map { $0 / mean })")
    }

    @Test("is flat inside: the peak is what an even disc holds", arguments: [10.0, 20])
    func flatDisc(radius: Double) throws {
        let spot = try Self.draw(radius: radius, near: false)
        #expect(abs(spot.peak / (16 / (.pi * radius * radius)) - 1) < 0.12, "peak \(spot.peak)")
    }

    @Test("a clipped light grows brighter with the highlight option, its rim less, a grey one and a large white thing do not")
    func highlights() throws {
        let map = TestPicture.disparity(128, 128) { _, _ in 0 }
        let circle = CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 40)
        func energy(_ code: UInt8, side: Int, _ lens: VulkanBokehRenderer) throws -> Double {
            let light = 64 - side / 2..<64 + side / 2
            let image = TestPicture.bgra(128, 128) { x, y in light.contains(x) && light.contains(y) ? SIMD3(repeating: code) : [0, 0, 0] }
            return Spot(try lens.render(image, disparity: map, circle: circle)).sum
        }
        let (plain, shining) = (try SharedLens.plain.get(), try SharedLens.shining.get())
        let small = try energy(255, side: 4, shining) / energy(255, side: 4, plain)
        let larger = try energy(255, side: 6, shining) / energy(255, side: 6, plain)
        #expect(small > 2 && small < larger && larger < 5, "a default of 4 means five times the light, but for the rim: \(small), \(larger)")
        #expect(abs(try energy(255, side: 24, shining) / energy(255, side: 24, plain) - 1) < 0.01)
        #expect(try energy(150, side: 4, shining) == energy(150, side: 4, plain))
    }

    @Test("Rows summed by many threads give the same picture, layers wider than a workgroup too", arguments: [(96, 64), (2100, 32)])
    func wideSums(width: Int, height: Int) throws {
        let lens = try VulkanBokehRenderer(options: BokehOptions(highlights: 0), validation: width < 100)
        #expect(lens.hasWideSums == (lens.device.type != .software), "lavapipe sums each row in one thread")
        lens.hasWideSums = false
        let image = TestPicture.textured(width, height, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        let map = TestPicture.disparity(width, height) { x, y in x % 700 < 30 ? 0.9 : y > 20 && x % 300 > 200 ? 0.47 : 0.1 }
        let circle = CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 50)
        let drawn = TestPicture.bytes(try lens.render(image, disparity: map, circle: circle))
        lens.hasWideSums = true
        #expect(try TestPicture.bytes(lens.render(image, disparity: map, circle: circle)) == drawn)
        #expect(drawn != TestPicture.bytes(image))
        #expect(lens.validationMessages == [])
    }
}

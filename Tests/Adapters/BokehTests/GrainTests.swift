@testable import Bokeh
import CoreVideo
import Foundation
import Optics
import Pipeline
import Testing

@Suite("Grain", .validated)
struct GrainTests {
    private static let (width, height) = (256, 128)
    private static let deep = kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange

    /// Noise of standard deviation 1 at a place: the sum of twelve even draws; `soft` takes the mean of 2 × 2, scaled to 1 again.
    private static func noise(_ x: Int, _ y: Int, _ seed: Int, isSoft: Bool = false) -> Float {
        func white(_ x: Int, _ y: Int) -> Float {
            (0..<12).reduce(Float(-6)) { $0 + Float(TestPicture.hash(x + 1000 * $1, y + 7777 * seed) % 4096) / 4095 }
        }
        return isSoft ? (white(x, y) + white(x + 1, y) + white(x, y + 1) + white(x + 1, y + 1)) / 2 : white(x, y)
    }

    /// A grey ramp from left to right with noise of `deviation` eighths of a bit, more in the light.
    private static func picture(_ format: OSType, deviation: Float, seed: Int = 1, isSoft: Bool = false) -> CVPixelBuffer {
        let image = CVPixelBuffer(width: width, height: height, pixelFormat: format)
        let unit: Float = format == deep ? 4 : 1
        func set(_ plane: Int, _ at: Int, _ y: Int, _ value: Float) {
            if format == TestPicture.wide {
                image.plane(plane).row(y, as: UInt16.self)[at] = UInt16((value * 257).rounded())
            } else if format == deep {
                image.plane(plane).row(y, as: UInt16.self)[at] = UInt16((value * unit).rounded()) << 6
            } else {
                image.plane(plane).row(y, as: UInt8.self)[at] = UInt8(value.rounded())
            }
        }
        for y in 0..<height {
            for x in 0..<width {
                let grey = 60 + Float(x % 128) / 2
                let own = deviation * (0.5 + Float(x % 128) / 128)
                guard format != kCVPixelFormatType_32BGRA, format != TestPicture.wide else {
                    for channel in 0..<3 { set(0, 4 * x + channel, y, grey + own * noise(x, y, seed + channel, isSoft: isSoft)) }
                    set(0, 4 * x + 3, y, 200)
                    continue
                }
                set(0, x, y, grey + own * noise(x, y, seed, isSoft: isSoft))
                if y % 2 == 0 { set(1, x, y / 2, 128 + 0.5 * own * noise(x, y, seed + 5)) }
            }
        }
        return image
    }

    /// Standard deviation of luma or green in columns, less a plane in each 8 × 8, and its correlation from one sample to the next in a row.
    private static func measure(_ image: CVPixelBuffer, columns: Range<Int>) -> (deviation: Double, correlation: Double) {
        func code(_ x: Int, _ y: Int) -> Double {
            switch image.format {
            case kCVPixelFormatType_32BGRA: Double(image.plane(0).row(y, as: UInt8.self)[4 * x + 1])
            case deep: Double(image.plane(0).row(y, as: UInt16.self)[x] >> 6)
            case TestPicture.wide: Double(image.plane(0).row(y, as: UInt16.self)[4 * x + 1])
            default: Double(image.plane(0).row(y, as: UInt8.self)[x])
            }
        }
        var (squares, products, count) = (0.0, 0.0, 0.0)
        for y in stride(from: 8, to: height - 8, by: 8) {
            for x in stride(from: columns.lowerBound, to: columns.upperBound - 7, by: 8) {
                let values = (0..<64).map { code(x + $0 % 8, y + $0 / 8) }
                let mean = values.reduce(0, +) / 64
                let across = values.indices.reduce(0) { $0 + values[$1] * (Double($1 % 8) - 3.5) } / 336
                let down = values.indices.reduce(0) { $0 + values[$1] * (Double($1 / 8) - 3.5) } / 336
                let rest = values.indices.map { values[$0] - mean - across * (Double($0 % 8) - 3.5) - down * (Double($0 / 8) - 3.5) }
                squares += rest.reduce(0) { $0 + $1 * $1 } / 61
                products += rest.indices.reduce(0) { $1 % 8 < 7 ? $0 + rest[$1] * rest[$1 + 1] : $0 } / 56
                count += 1
            }
        }
        return ((squares / count).squareRoot(), products / squares * 61 / 64)
    }

    private static let circle = CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 60)
    /// In focus on the left half, behind the focus on the right.
    private static var map: DisparityMap { TestPicture.disparity(width, height) { x, _ in x < 128 ? 0.5 : 0.1 } }

    private static func lens(_ grain: BokehOptions.Grain) throws -> VulkanBokehRenderer {
        var options = BokehOptions(highlights: 0)
        options.grain = grain
        return try VulkanBokehRenderer(options: options, validation: true)
    }

    @Test("is measured by level of luma, and a painted picture has none", arguments: TestPicture.formats + [deep, TestPicture.wide])
    func measured(format: OSType) throws {
        let clean = Self.picture(format, deviation: 0)
        let coding = try #require(PictureFormat(clean))
        #expect(SourceNoise(clean, format: coding) == nil)
        let noise = try #require(SourceNoise(Self.picture(format, deviation: 3), format: coding))
        let unit: Float = format == Self.deep ? 4 : format == TestPicture.wide ? 257 : 1
        // The ramp goes through these levels; noise has deviations of 1.5 to 4.5 codes.
        for column in [24, 64, 104] {
            let grey = 60 + Float(column) / 2
            let level = Int((coding.isPlanar ? (grey - 16) / 219 * 15 : grey / 255 * 15).rounded())
            let middle = Float(level) / 15 * (coding.isPlanar ? 219 : 255) + (coding.isPlanar ? 16 : 0)
            let expected = 3 * (0.5 + (middle - 60) / 64) * unit
            let channel = coding.isPlanar ? 0 : 1
            #expect(abs(noise.deviations[level][channel] / expected - 1) < 0.2, "\(noise.deviations[level][channel]), not \(expected)")
        }
    }

    @Test(
        "of what is blurred is that of what is in focus, in strength and in spectrum", arguments: TestPicture.formats + [deep, TestPicture.wide],
        [false, true])
    func matched(format: OSType, isSoft: Bool) throws {
        let image = Self.picture(format, deviation: 3, isSoft: isSoft)
        let lens = try Self.lens(.match)
        let drawn = try lens.render(image, disparity: Self.map, circle: Self.circle)
        // The ramp is the same on both halves; away from the edge of the depth and of the picture.
        let sharp = Self.measure(drawn, columns: 16..<112)
        let blurred = Self.measure(drawn, columns: 144..<240)
        let without = Self.measure(try Self.lens(.none).render(image, disparity: Self.map, circle: Self.circle), columns: 144..<240)
        #expect(without.deviation < 0.3 * sharp.deviation, "\(without)")
        #expect(abs(blurred.deviation / sharp.deviation - 1) < 0.12, "\(blurred), sharp \(sharp)")
        #expect(abs(blurred.correlation - sharp.correlation) < 0.1, "\(blurred), sharp \(sharp)")
        #expect(lens.validationMessages == [])
    }

    @Test("leaves what is in focus alone, is the same for the same picture and another for the next")
    func frames() throws {
        let lens = try Self.lens(.match)
        let format = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        let (first, second) = (Self.picture(format, deviation: 3), Self.picture(format, deviation: 3, seed: 9))
        let drawn = try lens.render(first, disparity: Self.map, circle: Self.circle)
        let next = try lens.render(second, disparity: Self.map, circle: Self.circle)
        #expect(TestPicture.bytes(try lens.render(first, disparity: Self.map, circle: Self.circle)) == TestPicture.bytes(drawn))
        for y in 0..<Self.height {
            #expect(memcmp(first.plane(0).row(y, as: UInt8.self), drawn.plane(0).row(y, as: UInt8.self), 120) == 0, "row \(y)")
        }
        let (a, b) = (drawn.plane(0).row(64, as: UInt8.self), next.plane(0).row(64, as: UInt8.self))
        let same = (150..<250).count { a[$0] == b[$0] }
        #expect(same < 40, "\(same) of 100 samples are those of another picture")
    }

    @Test("agrees with the CPU twin, where something is in front too", arguments: TestPicture.formats + [deep, TestPicture.wide])
    func twin(format: OSType) throws {
        var options = BokehOptions(highlights: 0)
        options.grain = .match
        let lens = try VulkanBokehRenderer(options: options, validation: true)
        let image = Self.picture(format, deviation: 3)
        let map = TestPicture.disparity(Self.width, Self.height) { x, y in x > 180 && y < 60 ? 0.9 : x > 90 ? 0.1 : 0.5 }
        let drawn = try lens.render(image, disparity: map, circle: Self.circle)
        let twin = try ReferenceBokehRenderer(options: options).render(image, disparity: map, circle: Self.circle)
        #expect(TestPicture.psnr(drawn, twin) > 44, "\(TestPicture.psnr(drawn, twin))")
        #expect(lens.validationMessages == [])
    }
}

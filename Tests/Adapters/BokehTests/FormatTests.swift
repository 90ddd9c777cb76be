@testable import Bokeh
import CoreVideo
import Foundation
import Optics
import Pipeline
import Testing

@Suite("Formats of pictures", .validated)
struct FormatTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var format: OSType
        var matrix: String?
        var transfer: String?
        var testDescription: String { "\(String(format, radix: 16)) \(matrix ?? "-") \(transfer ?? "-")" }
    }

    static let cases = [
        Case(format: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, matrix: kCVImageBufferYCbCrMatrix_ITU_R_601_4 as String),
        Case(format: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, matrix: kCVImageBufferYCbCrMatrix_ITU_R_2020 as String),
        Case(format: kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange),
        Case(
            format: kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, matrix: kCVImageBufferYCbCrMatrix_ITU_R_2020 as String,
            transfer: kCVImageBufferTransferFunction_ITU_R_2100_HLG as String),
        Case(
            format: kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, matrix: kCVImageBufferYCbCrMatrix_ITU_R_2020 as String,
            transfer: kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ as String),
    ]

    /// A picture of the case whose pixels have the encoded colour `colour` gives.
    private static func picture(_ it: Case, _ width: Int, _ height: Int, _ colour: (Int, Int) -> SIMD4<Float>) throws -> CVPixelBuffer {
        let buffer = CVPixelBuffer(width: width, height: height, pixelFormat: it.format)
        if let matrix = it.matrix { CVBufferSetAttachment(buffer, kCVImageBufferYCbCrMatrixKey, matrix, .shouldPropagate) }
        if let transfer = it.transfer { CVBufferSetAttachment(buffer, kCVImageBufferTransferFunctionKey, transfer, .shouldPropagate) }
        let format = try #require(PictureFormat(buffer))
        func set(_ plane: Int, _ x: Int, _ y: Int, _ value: Float) {
            if format.layout == .deep {
                buffer.plane(plane).row(y, as: UInt16.self)[x] = UInt16(value + 0.5) << 6
            } else {
                buffer.plane(plane).row(y, as: UInt8.self)[x] = UInt8(value + 0.5)
            }
        }
        for y in 0..<height {
            for x in 0..<width {
                let codes = format.codes(colour(x, y))
                set(0, x, y, codes.x)
                if x % 2 == 0, y % 2 == 0 {
                    set(1, x, y / 2, codes.y)
                    set(1, x + 1, y / 2, codes.z)
                }
            }
        }
        return buffer
    }

    private static func texture(_ x: Int, _ y: Int) -> SIMD4<Float> {
        let (a, b) = (Float(TestPicture.hash(x / 2, y / 2) % 100) / 100, Float(TestPicture.hash(x / 6, y / 4 + 99) % 100) / 100)
        return SIMD4(0.1 + 0.5 * a, 0.15 + 0.3 * a + 0.2 * b, 0.2 + 0.5 * b, 0)
    }

    private static func disparity(_ width: Int, _ height: Int) -> DisparityMap {
        TestPicture.disparity(width, height) { x, y in
            x > width * 2 / 3 && y < height / 2 ? 0.9 : y > height / 2 ? 0.1 + 0.6 * Float(y) / Float(height) : 0.1
        }
    }

    @Test("are drawn as the CPU twin draws them, keep what is sharp and their attachments", arguments: cases)
    func twin(_ it: Case) throws {
        let lens = try SharedLens.plain.get()
        let image = try Self.picture(it, 70, 46, Self.texture)
        let map = Self.disparity(70, 46)
        let circle = CircleOfConfusion(focusDisparity: 0.4, diameterPerDisparity: 45)
        let drawn = try lens.render(image, disparity: map, circle: circle)
        let expected = try ReferenceBokehRenderer(options: BokehOptions(highlights: 0)).render(image, disparity: map, circle: circle)
        #expect(TestPicture.psnr(drawn, expected) > 35)
        #expect(TestPicture.codes(drawn) != TestPicture.codes(image))
        #expect(CVBufferCopyAttachment(drawn, kCVImageBufferTransferFunctionKey, nil) as? String == it.transfer)
        let closed = CircleOfConfusion(focusDisparity: 0.4, diameterPerDisparity: 0)
        #expect(TestPicture.codes(try lens.render(image, disparity: map, circle: closed)) == TestPicture.codes(image))
        #expect(lens.validationMessages == [])
    }

    @Test("A plain picture stays plain in each", arguments: cases)
    func plain(_ it: Case) throws {
        let image = try Self.picture(it, 64, 48) { _, _ in SIMD4(0.5, 0.3, 0.2, 0) }
        let circle = CircleOfConfusion(focusDisparity: 0.4, diameterPerDisparity: 60)
        let drawn = try SharedLens.plain.get().render(image, disparity: Self.disparity(64, 48), circle: circle)
        let most = zip(TestPicture.codes(drawn), TestPicture.codes(image)).map { abs($0 - $1) }.max() ?? 0
        #expect(most <= (it.transfer != nil ? 2 : 1))
    }

    @Test("Light above white keeps its energy: it is blurred as light, not as code", arguments: cases.suffix(2))
    func aboveWhite(_ it: Case) throws {
        let blank = try Self.picture(it, 4, 4) { _, _ in .zero }
        let format = try #require(PictureFormat(blank))
        let shining = min(format.brightest * 0.9, 20)
        let image = try Self.picture(it, 128, 128) { x, y in
            format.encoded((60...67).contains(x) && (60...67).contains(y) ? SIMD4(shining, shining, shining, 1) : SIMD4(0.02, 0.02, 0.02, 1))
        }
        let circle = CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 64)
        let drawn = try SharedLens.plain.get().render(image, disparity: TestPicture.disparity(128, 128) { _, _ in 0 }, circle: circle)
        func light(_ picture: CVPixelBuffer) -> Float {
            let lumas = TestPicture.codes(picture)[..<(128 * 128)]
            return lumas.reduce(0) { $0 + format.decoded(format.colour(luma: Float($1), cb: format.grey, cr: format.grey)).y }
        }
        #expect(abs(light(drawn) / light(image) - 1) < 0.03, "\(light(drawn)) of \(light(image))")
        let peak = format.decoded(format.colour(luma: Float(TestPicture.codes(drawn)[64 * 128 + 64]), cb: format.grey, cr: format.grey)).y
        #expect(abs(peak / (0.02 + shining * 64 / (.pi * 256)) - 1) < 0.1, "an even disc: \(peak)")
    }

    @Test(
        "Stripes become the mean of their light, from black to white", arguments: cases.suffix(2),
        [(0.02, 0.3), (0.1, 0.12), (0.3, 0.8), (0, 1), (0.9, 1)])
    func stripes(_ it: Case, _ codes: (low: Float, high: Float)) throws {
        let image = try Self.picture(it, 128, 96) { x, _ in SIMD4(repeating: x % 4 < 2 ? codes.low : codes.high) }
        let circle = CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 64)
        let drawn = try SharedLens.plain.get().render(image, disparity: TestPicture.disparity(128, 96) { _, _ in 0 }, circle: circle)
        let format = try #require(PictureFormat(image))
        let lights = [codes.low, codes.high].map { format.decoded(SIMD4(repeating: $0)) }
        let expected = format.codes(format.encoded((lights[0] + lights[1]) / 2)).x
        #expect(abs(Float(TestPicture.codes(drawn)[48 * 128 + 64]) - expected) <= 1.5, "instead of \(expected)")
    }

    @Test("Patches of several colours become the mean of their light, in layers of half and a quarter of the size", arguments: [false, true])
    func patches(isPreview: Bool) throws {
        let it = Case(format: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        let colours: [SIMD4<Float>] = [SIMD4(0.95, 0.1, 0.15, 1), SIMD4(0.1, 0.3, 0.2, 1), SIMD4(0.15, 0.2, 0.9, 1), SIMD4(0.7, 0.8, 0.1, 1)]
        let image = try Self.picture(it, 128, 96) { x, y in colours[x / 2 % 2 + y / 2 % 2 * 2] }
        let format = try #require(PictureFormat(image))
        var options = BokehOptions(highlights: 0)
        options.quality = isPreview ? .preview : .full
        let circle = CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 96)
        let lens = try VulkanBokehRenderer(options: options)
        let codes = TestPicture.codes(try lens.render(image, disparity: TestPicture.disparity(128, 96) { _, _ in 0 }, circle: circle))
        let expected = format.codes(format.encoded(colours.map(format.decoded).reduce(.zero, +) / 4))
        let (luma, chroma) = (48 * 128 + 64, 128 * 96 + 24 * 128 + 64)
        for (code, expected) in zip([codes[luma], codes[chroma], codes[chroma + 1]], [expected.x, expected.y, expected.z]) {
            #expect(abs(Float(code) - expected) <= 2, "\(code) instead of \(expected)")
        }
    }

    @Test("The same colours come out of the same colours, whatever codes them")
    func alike() throws {
        let circle = CircleOfConfusion(focusDisparity: 0.4, diameterPerDisparity: 45)
        func colours(_ it: Case) throws -> [SIMD4<Float>] {
            let image = try Self.picture(it, 64, 48) { x, y in Self.texture(x / 8, y / 8) }
            let format = try #require(PictureFormat(image))
            let codes = TestPicture.codes(try SharedLens.plain.get().render(image, disparity: Self.disparity(64, 48), circle: circle))
            return (0..<48 * 64).map { at in
                let chroma = 64 * 48 + at / 64 / 2 * 64 + at % 64 / 2 * 2
                return format.colour(luma: Float(codes[at]), cb: Float(codes[chroma]), cr: Float(codes[chroma + 1]))
            }
        }
        let first = try colours(Case(format: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange))
        for it in Self.cases.prefix(3) {
            let most = zip(first, try colours(it)).map { a, b in (a - b).max() }.max() ?? 1
            // Half a code of chroma is a code of blue, in each.
            #expect(most < 5.0 / 255, "\(it.testDescription): \(most * 255) codes")
        }
    }
}

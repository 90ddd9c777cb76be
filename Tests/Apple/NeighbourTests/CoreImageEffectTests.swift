import CoreImage.CIFilterBuiltins
import CoreVideo
import Foundation
import ImageIO
import Testing

@Suite("A Core Image filter of an effect")
struct CoreImageEffectTests {
    private func pixels(_ image: CIImage?, managed: Bool = false) throws -> [SIMD4<Float>] {
        let image = try #require(image)
        let context = managed ? CIContext() : CIContext(options: [.workingColorSpace: NSNull()])
        let rect = image.extent
        var values = [Float](repeating: 0, count: Int(rect.width * rect.height) * 4)
        let space = managed ? CGColorSpace(name: CGColorSpace.sRGB) : nil
        context.render(image, toBitmap: &values, rowBytes: Int(rect.width) * 16, bounds: rect, format: .RGBAf, colorSpace: space)
        return stride(from: 0, to: values.count, by: 4).map { SIMD4(values[$0], values[$0 + 1], values[$0 + 2], values[$0 + 3]) }
    }

    private func plain(_ red: CGFloat, _ green: CGFloat, _ blue: CGFloat, _ width: CGFloat = 1, _ height: CGFloat = 1) -> CIImage {
        CIImage(color: CIColor(red: red, green: green, blue: blue)).cropped(to: CGRect(x: 0, y: 0, width: width, height: height))
    }

    private func pixel(_ image: CIImage?, managed: Bool = false) throws -> SIMD4<Float> { try pixels(image, managed: managed)[0] }

    @Test("draws a curve through five points, the same in linear light, and leaves a picture as it is by its defaults")
    func toneCurve() throws {
        let filter = CIFilter.toneCurve()
        filter.inputImage = plain(0.25, 0.5, 0.6)
        #expect(abs(try pixel(filter.outputImage).z - 0.6) < 1e-4)
        (filter.point1, filter.point2) = (CGPoint(x: 0.25, y: 0.15), CGPoint(x: 0.5, y: 0.7))
        for managed in [false, true] {
            let curved = try pixel(filter.outputImage, managed: managed)
            #expect(abs(curved.x - 0.15) < 1e-3 && abs(curved.y - 0.7) < 1e-3 && curved.z > 0.7)
        }
    }

    @Test("makes light of sRGB, and sRGB of light")
    func curves() throws {
        let light = CIFilter.sRGBToneCurveToLinear()
        light.inputImage = plain(0.5, 0, 1)
        #expect(abs(try pixel(light.outputImage).x - 0.21404) < 1e-3)
        #expect(abs(try pixel(light.outputImage?.applyingFilter("CILinearToSRGBToneCurve")).x - 0.5) < 1e-3)
    }

    @Test("turns a neutral light into a warmer or a greener one")
    func temperature() throws {
        let filter = CIFilter.temperatureAndTint()
        filter.inputImage = plain(0.5, 0.5, 0.5)
        #expect(abs(try pixel(filter.outputImage).x - 0.5) < 1e-3)
        filter.targetNeutral = CIVector(x: 4000, y: 0)
        let warm = try pixel(filter.outputImage)
        #expect(warm.x > 0.55 && warm.z < 0.4)
        filter.neutral = CIVector(x: 4000, y: 0)
        #expect(abs(try pixel(filter.outputImage).z - 0.5) < 1e-3)
        filter.targetNeutral = CIVector(x: 4000, y: -60)
        let green = try pixel(filter.outputImage)
        #expect(green.y > green.x && green.y > green.z)
    }

    @Test("makes dull colours stronger than strong ones")
    func vibrance() throws {
        func gain(_ image: CIImage) throws -> Float {
            func spread(_ pixel: SIMD4<Float>) -> Float { max(pixel.x, pixel.y, pixel.z) - min(pixel.x, pixel.y, pixel.z) }
            return spread(try pixel(image.applyingFilter("CIVibrance", parameters: ["inputAmount": 1]))) / spread(try pixel(image))
        }
        #expect(try gain(plain(0.55, 0.5, 0.5)) > 1.9)
        #expect(try gain(plain(0.9, 0.1, 0.1)) < 1.3)
    }

    @Test("darkens the corners and leaves the middle")
    func vignette() throws {
        let picture = plain(0.5, 0.5, 0.5, 21, 21)
        let filter = CIFilter.vignette()
        (filter.inputImage, filter.intensity) = (picture, 1)
        let values = try pixels(filter.outputImage)
        #expect(abs(values[10 * 21 + 10].x - 0.5) < 1e-3 && values[0].x < 0.2 && values[0].w == 1)
        let disc = CIFilter.vignetteEffect()
        (disc.inputImage, disc.center, disc.radius, disc.falloff) = (picture, CGPoint(x: 10.5, y: 10.5), 6, 0.2)
        let shown = try pixels(disc.outputImage)
        #expect(shown[10 * 21 + 10].x == 0.5 && shown[10 * 21 + 15].x == 0.5 && shown[10 * 21].x == 0)
    }

    @Test("blurs along a line, about a disc, towards a point and where a mask is bright, and keeps the light")
    func blurs() throws {
        let dot = plain(1, 1, 1).transformed(by: CGAffineTransform(translationX: 10, y: 10)).composited(over: plain(0, 0, 0, 21, 21))
        let line = CIFilter.motionBlur()
        (line.inputImage, line.radius) = (dot, 2)
        let cut = CGRect(x: 0, y: 0, width: 21, height: 21)
        let smeared = try pixels(line.outputImage?.cropped(to: cut))
        #expect((8...12).allSatisfy { abs(smeared[10 * 21 + $0].x - 0.2) < 1e-3 } && smeared[11 * 21 + 10].x == 0)
        let disc = CIFilter.discBlur()
        (disc.inputImage, disc.radius) = (dot, 2)
        let round = try pixels(disc.outputImage?.cropped(to: cut))
        #expect(abs(round.reduce(0) { $0 + $1.x } - 1) < 1e-3 && abs(round[10 * 21 + 12].x - 1 / 13) < 1e-3 && round[12 * 21 + 12].x == 0)
        let zoom = CIFilter.zoomBlur()
        (zoom.inputImage, zoom.center, zoom.amount) = (dot, CGPoint(x: 10.5, y: 10.5), 5)
        #expect(abs(try pixels(zoom.outputImage)[10 * 21 + 10].x - 1) < 1e-3)
        let variable = CIFilter.maskedVariableBlur()
        (variable.inputImage, variable.radius) = (dot, 2)
        variable.mask = plain(1, 1, 1, 21, 21)
        #expect(try pixels(variable.outputImage)[10 * 21 + 10].x < 0.1)
        variable.mask = plain(0, 0, 0, 21, 21)
        #expect(try pixels(variable.outputImage)[10 * 21 + 10].x == 1)
    }

    @Test("sharpens edges of brightness, evens noise out, finds edges, and glows")
    func edges() throws {
        let half = plain(0.2, 0.2, 0.2, 8, 9).composited(over: plain(0.6, 0.6, 0.6, 16, 9))
        func row(_ name: String, _ values: [String: Any] = [:], of image: CIImage) throws -> [Float] {
            Array(try pixels(image.applyingFilter(name, parameters: values))[4 * 16..<5 * 16]).map(\.x)
        }
        let sharp = try row("CISharpenLuminance", of: half)
        #expect(sharp[7] < 0.19 && sharp[8] > 0.61 && abs(sharp[0] - 0.2) < 1e-3)
        let found = try row("CIEdges", of: half)
        #expect(found[7] > 1 && found[8] > 1 && found[3] < 1e-3)
        let bloom = try row("CIBloom", [kCIInputRadiusKey: 2], of: half)
        let gloom = try row("CIGloom", [kCIInputRadiusKey: 2], of: half)
        #expect(bloom[15] > 0.65 && bloom[7] > bloom[0] && gloom[8] < 0.6 && abs(gloom[0] - 0.2) < 1e-3)
        let speck = plain(0.51, 0.51, 0.51).transformed(by: CGAffineTransform(translationX: 8, y: 4)).composited(over: plain(0.5, 0.5, 0.5, 16, 9))
        #expect(try row("CINoiseReduction", of: speck)[8] < 0.503)
    }

    @Test("maps colours by levels, polynomials, two colours, shadows and looks")
    func colours() throws {
        let picture = plain(0.3, 0.5, 0.7)
        func made(_ name: String, _ values: [String: Any] = [:]) throws -> SIMD4<Float> {
            try pixel(picture.applyingFilter(name, parameters: values))
        }
        let levels = try made("CIColorPosterize", ["inputLevels": 2])
        #expect(levels == SIMD4(0, 1, 1, 1))
        let square = CIFilter.colorPolynomial()
        (square.inputImage, square.redCoefficients) = (picture, CIVector(x: 0.1, y: 0, z: 1, w: 0))
        #expect(abs(try pixel(square.outputImage).x - 0.19) < 1e-4)
        let two = try made("CIFalseColor", ["inputColor0": CIColor.black, "inputColor1": CIColor.red])
        #expect(two.x > 0.3 && two.y == 0)
        #expect(try made("CIHighlightShadowAdjust", ["inputShadowAmount": 0.5]).x > 0.35)
        #expect(try made("CIHighlightShadowAdjust", ["inputHighlightAmount": 0.5]).z < 0.68)
        let looks = try ["Chrome", "Fade", "Instant", "Process", "Transfer"].map { try made("CIPhotoEffect\($0)") }
        for (index, look) in looks.enumerated() { #expect(!looks[..<index].contains(look) && look.w == 1) }
        #expect(CIFilter.photoEffectFade().name == "CIPhotoEffectFade")
    }

    @Test("writes half floats, in order of their rows, and JPEG by ImageIO's key of quality")
    func files() throws {
        let picture = plain(0.25, 0.5, 2, 3, 2)
        var half = [Float16](repeating: 0, count: 24)
        let context = CIContext(options: [.workingColorSpace: NSNull()])
        context.render(picture, toBitmap: &half, rowBytes: 24, bounds: picture.extent, format: .RGBAh, colorSpace: nil)
        #expect(half[0] == 0.25 && half[1] == 0.5 && half[2] == 2 && half[3] == 1)
        #expect(context.createCGImage(picture, from: picture.extent, format: .RGBAh, colorSpace: nil)?.bitsPerComponent == 16)
        let noise = CIImage(extentOfStripes: 64)
        let space = try #require(CGColorSpace(name: CGColorSpace.sRGB))
        func bytes(_ quality: Double) -> Int? {
            context.jpegRepresentation(
                of: noise, colorSpace: space, options: [kCGImageDestinationLossyCompressionQuality as CIImageRepresentationOption: quality])?.count
        }
        #expect(try #require(bytes(0.1)) < #require(bytes(0.95)))
    }
}

extension CIImage {
    /// Coloured stripes.
    fileprivate convenience init(extentOfStripes side: Int) {
        var bytes = Data()
        for index in 0..<side * side {
            bytes.append(contentsOf: [UInt8(truncatingIfNeeded: index * 37), UInt8(truncatingIfNeeded: index * 91), 90, 255])
        }
        self.init(
            bitmapData: bytes, bytesPerRow: side * 4, size: CGSize(width: side, height: side), format: .RGBA8,
            colorSpace: CGColorSpaceCreateDeviceRGB())
    }
}

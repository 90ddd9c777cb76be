import CoreImage.CIFilterBuiltins
import CoreVideo
import Foundation
import Testing

@Suite("A Core Image filter of looks or shapes")
struct CoreImageLookTests {
    /// Without colour management: values are those given.
    private let context = CIContext(options: [.workingColorSpace: NSNull()])

    private func pixels(_ image: CIImage?, _ rect: CGRect? = nil) throws -> [SIMD4<Float>] {
        let image = try #require(image)
        let rect = rect ?? image.extent
        var values = [Float](repeating: 0, count: Int(rect.width * rect.height) * 4)
        context.render(image, toBitmap: &values, rowBytes: Int(rect.width) * 16, bounds: rect, format: .RGBAf, colorSpace: nil)
        return stride(from: 0, to: values.count, by: 4).map { SIMD4(values[$0], values[$0 + 1], values[$0 + 2], values[$0 + 3]) }
    }

    private func plain(_ red: CGFloat, _ green: CGFloat, _ blue: CGFloat, _ width: CGFloat = 1, _ height: CGFloat = 1) -> CIImage {
        CIImage(color: CIColor(red: red, green: green, blue: blue)).cropped(to: CGRect(x: 0, y: 0, width: width, height: height))
    }

    private func near(_ first: SIMD4<Float>, _ second: SIMD4<Float>) -> Bool { abs(first - second).max() < 1e-3 }
    private func abs(_ value: SIMD4<Float>) -> SIMD4<Float> { pointwiseMax(value, -value) }

    @Test("draws a rectangle with round corners, and its edge")
    func rectangles() throws {
        let filter = CIFilter.roundedRectangleGenerator()
        (filter.extent, filter.radius, filter.color) = (CGRect(x: 2, y: 3, width: 20, height: 10), 5, CIColor(red: 1, green: 0, blue: 0))
        let shape = try #require(filter.outputImage)
        #expect(shape.extent == CGRect(x: 2, y: 3, width: 20, height: 10))
        let drawn = try pixels(shape)
        #expect(near(drawn[5 * 20 + 10], SIMD4(1, 0, 0, 1)) && near(drawn[0], .zero) && near(drawn[10], SIMD4(1, 0, 0, 1)))
        // The area of the corners that are missing is that between a square and its circle.
        let missing = 200 - drawn.reduce(Float(0)) { $0 + $1.w }
        #expect(Swift.abs(missing - (100 - .pi * 25)) < 1)
        let stroke = CIFilter.roundedRectangleStrokeGenerator()
        (stroke.extent, stroke.radius, stroke.width) = (CGRect(x: 0, y: 0, width: 20, height: 20), 0, 2)
        let edge = try pixels(stroke.outputImage, CGRect(x: -2, y: 10, width: 24, height: 1)).map(\.w)
        #expect(edge[0] == 0 && edge[1] == 1 && edge[2] == 1 && edge[3] == 0 && edge[12] == 0 && edge[21] == 1 && edge[22] == 1 && edge[23] == 0)
    }

    @Test("lays four corners out straight, and puts a picture between them")
    func perspective() throws {
        let left = plain(1, 0, 0, 10, 20)
        let picture = left.composited(over: plain(0, 0, 1, 20, 20))
        let correction = CIFilter.perspectiveCorrection()
        correction.inputImage = picture
        (correction.topLeft, correction.topRight) = (CGPoint(x: 4, y: 16), CGPoint(x: 16, y: 16))
        (correction.bottomLeft, correction.bottomRight) = (CGPoint(x: 4, y: 4), CGPoint(x: 16, y: 4))
        let straight = try #require(correction.outputImage)
        #expect(straight.extent == CGRect(x: 0, y: 0, width: 12, height: 12))
        let read = try pixels(straight, CGRect(x: 0, y: 6, width: 12, height: 1))
        #expect(near(read[1], SIMD4(1, 0, 0, 1)) && near(read[10], SIMD4(0, 0, 1, 1)))
        // A trapezoid whose shorter side is at the top: what is put in and laid out again is the same.
        let corners: [(String, CGPoint)] = [
            ("inputTopLeft", CGPoint(x: 30, y: 80)), ("inputTopRight", CGPoint(x: 70, y: 80)), ("inputBottomRight", CGPoint(x: 100, y: 10)),
            ("inputBottomLeft", CGPoint(x: 0, y: 10)),
        ]
        let quarters = plain(1, 0, 0, 40, 40).composited(over: plain(0, 1, 0, 80, 40).composited(over: plain(0, 0, 1, 80, 80)))
        let points = Dictionary(uniqueKeysWithValues: corners.map { ($0, CIVector(cgPoint: $1) as Any) })
        let laid = quarters.applyingFilter("CIPerspectiveTransform", parameters: points)
        #expect(laid.extent == CGRect(x: 0, y: 10, width: 100, height: 70))
        let back = laid.applyingFilter("CIPerspectiveCorrection", parameters: points)
        let (width, height) = (back.extent.width, back.extent.height)
        for (x, y, color) in [(0.25, 0.25, SIMD4<Float>(1, 0, 0, 1)), (0.75, 0.25, SIMD4(0, 1, 0, 1)), (0.25, 0.75, SIMD4(0, 0, 1, 1))] {
            let place = CGRect(x: (x * width).rounded(), y: (y * height).rounded(), width: 1, height: 1)
            #expect(near(try pixels(back, place)[0], color))
        }
    }

    @Test("draws gradients between two points and two circles")
    func gradients() throws {
        let line = CIFilter.linearGradient()
        (line.point0, line.point1, line.color0, line.color1) = (CGPoint(x: 0, y: 0), CGPoint(x: 10, y: 0), .black, .white)
        let values = try pixels(line.outputImage, CGRect(x: -2, y: 0, width: 14, height: 1)).map(\.x)
        #expect(values[0] == 0 && Swift.abs(values[7] - 0.55) < 1e-3 && values[13] == 1)
        let ring = CIFilter.radialGradient()
        (ring.center, ring.radius0, ring.radius1, ring.color0, ring.color1) = (CGPoint(x: 0.5, y: 0.5), 2, 6, .white, .black)
        let across = try pixels(ring.outputImage, CGRect(x: 0, y: 0, width: 8, height: 1)).map(\.x)
        #expect(across[0] == 1 && Swift.abs(across[4] - 0.5) < 1e-3 && across[7] == 0)
    }

    @Test("maps colours by a table, and leaves them by one that changes nothing")
    func cubes() throws {
        let side = 4
        var table: [Float] = []
        for blue in 0..<side {
            for green in 0..<side { for red in 0..<side { table += [red, green, blue].map { Float($0) / Float(side - 1) } + [1] } }
        }
        let filter = CIFilter.colorCube()
        (filter.inputImage, filter.cubeDimension) = (plain(0.2, 0.5, 0.9), Float(side))
        filter.cubeData = table.withUnsafeBytes { Data($0) }
        #expect(near(try pixels(filter.outputImage)[0], SIMD4(0.2, 0.5, 0.9, 1)))
        filter.cubeData = table.map { 1 - $0 }.enumerated().map { $0.offset % 4 == 3 ? 1 : $0.element }.withUnsafeBytes { Data($0) }
        #expect(near(try pixels(filter.outputImage)[0], SIMD4(0.8, 0.5, 0.1, 1)))
        filter.cubeData = Data([1, 2, 3])
        #expect(filter.outputImage == nil)
    }

    @Test(
        "mixes as PDF says",
        arguments: [
            ("CIMultiplyBlendMode", Float(0.2)), ("CIScreenBlendMode", 0.7), ("CIOverlayBlendMode", 0.4), ("CIHardLightBlendMode", 0.4),
            ("CISoftLightBlendMode", 0.45), ("CIDifferenceBlendMode", 0.1), ("CIExclusionBlendMode", 0.5), ("CIDarkenBlendMode", 0.4),
            ("CILightenBlendMode", 0.5),
        ])
    func modes(_ name: String, _ expected: Float) throws {
        // 0.4 over 0.5. Soft light of PDF 1.7, 11.3.5.2: b - (1 - 2s) b (1 - b).
        let mixed = plain(0.4, 0.4, 0.4).applyingFilter(name, parameters: [kCIInputBackgroundImageKey: plain(0.5, 0.5, 0.5)])
        #expect(near(try pixels(mixed)[0], SIMD4(expected, expected, expected, 1)))
        let alone = plain(0.4, 0.4, 0.4).applyingFilter(name, parameters: [kCIInputBackgroundImageKey: CIImage.empty()])
        #expect(near(try pixels(alone)[0], SIMD4(0.4, 0.4, 0.4, 1)))
    }

    @Test("makes grey, white or squares of colours, and sharpens without changing an even picture")
    func colours() throws {
        let colour = plain(0.8, 0.2, 0.4, 8, 8)
        let mono = try pixels(colour.applyingFilter("CIPhotoEffectMono"))[0]
        #expect(mono.x == mono.y && mono.y == mono.z && mono.w == 1 && (0.2...0.8).contains(mono.x))
        #expect(near(try pixels(colour.applyingFilter("CIMaximumComponent"))[0], SIMD4(0.8, 0.8, 0.8, 1)))
        #expect(near(try pixels(colour.applyingFilter("CIMinimumComponent"))[0], SIMD4(0.2, 0.2, 0.2, 1)))
        #expect(near(try pixels(colour.applyingFilter("CIColorThreshold", parameters: ["inputThreshold": 0.4]))[0], SIMD4(1, 0, 1, 1)))
        let sharp = try pixels(colour.applyingFilter("CIUnsharpMask"))
        #expect(sharp.allSatisfy { near($0, SIMD4(0.8, 0.2, 0.4, 1)) })
        let halves = plain(1, 1, 1, 4, 8).composited(over: plain(0, 0, 0, 8, 8))
        let filter = CIFilter.pixellate()
        (filter.inputImage, filter.center, filter.scale) = (halves, CGPoint(x: 2, y: 0), 4)
        // Squares begin at -2, 2 and 6: the middle one is half white.
        let squares = try pixels(filter.outputImage, CGRect(x: 0, y: 3, width: 8, height: 1)).map(\.x)
        #expect(squares == [1, 1, 0.5, 0.5, 0.5, 0.5, 0, 0])
    }

    @Test("that finds things is not there")
    func detectors() {
        #expect(CIDetector(ofType: CIDetectorTypeFace, context: nil, options: [CIDetectorAccuracy: CIDetectorAccuracyHigh]) == nil)
    }
}

import CoreImage.CIFilterBuiltins
import CoreVideo
import Foundation
import ImageIO
import Testing

@Suite("A Core Image picture")
struct CoreImageTests {
    private static let space = CGColorSpace(name: CGColorSpace.sRGB) ?? CGColorSpaceCreateDeviceRGB()

    /// Bitmap of opaque RGBA pixels, the top row first.
    private static func bitmap(_ pixels: [[UInt8]], width: Int) throws -> CGImage {
        let bytes: [UInt8] = pixels.flatMap { pixel -> [UInt8] in pixel.count == 3 ? pixel + [255] : pixel }
        let provider = try #require(CGDataProvider(data: Data(bytes) as CFData))
        return try #require(
            CGImage(
                width: width, height: pixels.count / width, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: 4 * width, space: space,
                bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.premultipliedLast.rawValue), provider: provider, decode: nil,
                shouldInterpolate: false, intent: .defaultIntent))
    }

    /// Bytes of a rendering, the top row first.
    private static func bytes(_ image: CIImage, _ rect: CGRect? = nil, _ context: CIContext = CIContext()) throws -> [[UInt8]] {
        let rendered = try #require(context.createCGImage(image, from: rect ?? image.extent))
        let data = [UInt8](try #require(rendered.dataProvider?.data))
        return stride(from: 0, to: data.count, by: 4).map { Array(data[$0..<$0 + 4]) }
    }

    private static let corners: [[UInt8]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [90, 130, 200]]
    private static var square: CIImage { get throws { CIImage(cgImage: try bitmap(corners, width: 2)) } }
    private static func opaque(_ pixels: [[UInt8]]) -> [[UInt8]] { pixels.map { $0 + [255] } }

    @Test("of a bitmap renders to the same bytes in linear light and without colour management")
    func roundTrip() throws {
        let every = (0..<256).map { [UInt8($0), UInt8(255 - $0), UInt8($0 / 2)] }
        let image = CIImage(cgImage: try Self.bitmap(every, width: 16))
        #expect(try Self.bytes(image) == Self.opaque(every))
        #expect(try Self.bytes(image, nil, CIContext(options: [.workingColorSpace: NSNull()])) == Self.opaque(every))
    }

    @Test("is cropped and moved in coordinates from the bottom left")
    func geometry() throws {
        let square = try Self.square
        #expect(square.extent == CGRect(x: 0, y: 0, width: 2, height: 2))
        #expect(try Self.bytes(square.cropped(to: CGRect(x: 0, y: 0, width: 1, height: 1))) == Self.opaque([[0, 0, 255]]))
        let moved = square.transformed(by: CGAffineTransform(translationX: 10, y: -3))
        #expect(moved.extent == CGRect(x: 10, y: -3, width: 2, height: 2))
        #expect(try Self.bytes(moved) == Self.opaque(Self.corners))
        #expect(try Self.bytes(square.clampedToExtent(), CGRect(x: 5, y: 5, width: 1, height: 1)) == Self.opaque([[0, 255, 0]]))
        #expect(CIContext().createCGImage(square.clampedToExtent(), from: .infinite) == nil)
    }

    @Test("is turned upright as EXIF numbers orientations", arguments: 1...8)
    func orientations(_ number: Int) throws {
        // Six pixels, told apart by red; where each belongs, row by row from the top.
        let image = CIImage(cgImage: try Self.bitmap((0..<6).map { [UInt8($0 * 40), 0, 0] }, width: 3))
        let upright = [
            [0, 1, 2, 3, 4, 5], [2, 1, 0, 5, 4, 3], [5, 4, 3, 2, 1, 0], [3, 4, 5, 0, 1, 2], [0, 3, 1, 4, 2, 5], [3, 0, 4, 1, 5, 2],
            [5, 2, 4, 1, 3, 0], [2, 5, 1, 4, 0, 3],
        ]
        let turned = image.oriented(forExifOrientation: Int32(number))
        #expect(turned.extent == CGRect(x: 0, y: 0, width: number > 4 ? 2 : 3, height: number > 4 ? 3 : 2))
        #expect(try Self.bytes(turned).map { Int($0[0]) / 40 } == upright[number - 1])
    }

    @Test("lies over another as far as it is opaque")
    func composition() throws {
        let half = CIImage(color: CIColor(red: 1, green: 0, blue: 0, alpha: 0.5)).cropped(to: CGRect(x: 0, y: 0, width: 1, height: 1))
        let white = CIImage.white.cropped(to: CGRect(x: 0, y: 0, width: 2, height: 1))
        let plain = CIContext(options: [.workingColorSpace: NSNull()])
        #expect(try Self.bytes(half.composited(over: white), nil, plain) == [[255, 128, 128, 255], [255, 255, 255, 255]])
        // Half of linear light is 188 of sRGB.
        #expect(try Self.bytes(half.composited(over: white))[0] == [255, 188, 188, 255])
        let mask = CIImage.black.cropped(to: CGRect(x: 0, y: 0, width: 1, height: 1)).composited(over: .white)
        let blend = CIFilter.blendWithMask()
        (blend.inputImage, blend.backgroundImage, blend.maskImage) = (white, CIImage(color: .green).cropped(to: white.extent), mask)
        #expect(try Self.bytes(try #require(blend.outputImage)) == Self.opaque([[0, 255, 0], [255, 255, 255]]))
    }

    @Test("is blurred without losing light, in a wider extent")
    func blur() throws {
        let dot = CIImage.white.cropped(to: CGRect(x: 0, y: 0, width: 1, height: 1))
        let blurred = dot.applyingGaussianBlur(sigma: 2)
        #expect(blurred.extent == CGRect(x: -6, y: -6, width: 13, height: 13))
        var sums = [Float](repeating: 0, count: 169 * 4)
        CIContext().render(blurred, toBitmap: &sums, rowBytes: 13 * 16, bounds: blurred.extent, format: .RGBAf, colorSpace: nil)
        #expect(abs(stride(from: 0, to: sums.count, by: 4).reduce(Float(0)) { $0 + sums[$1] } - 1) < 1e-4)
        // exp(-1/8) beside the middle, by the Gaussian.
        #expect(abs(sums[(6 * 13 + 7) * 4] / sums[(6 * 13 + 6) * 4] - 0.8825) < 1e-3)
    }

    @Test("scales by Lanczos and shrinks by means without moving its brightness")
    func scale() throws {
        let grey = CIImage(color: CIColor(red: 0.4, green: 0.4, blue: 0.4)).cropped(to: CGRect(x: 0, y: 0, width: 30, height: 20))
        let filter = CIFilter.lanczosScaleTransform()
        (filter.inputImage, filter.scale, filter.aspectRatio) = (grey, 0.5, 2)
        let wide = try #require(filter.outputImage)
        #expect(wide.extent == CGRect(x: 0, y: 0, width: 30, height: 10))
        #expect(try Self.bytes(wide).allSatisfy { $0 == [102, 102, 102, 255] })
        let stripes = CIImage(cgImage: try Self.bitmap((0..<64).map { $0 % 2 == 0 ? [0, 0, 0] : [255, 255, 255] }, width: 8))
        let small = stripes.transformed(by: CGAffineTransform(scaleX: 0.25, y: 0.25))
        #expect(try Self.bytes(small) == Self.opaque(Array(repeating: [188, 188, 188], count: 4)))
    }

    @Test("goes through filters by name and by function alike")
    func filters() throws {
        let square = try Self.square
        let matrix = CIFilter.colorMatrix()
        (matrix.inputImage, matrix.rVector, matrix.bVector) = (square, CIVector(x: 0, y: 0, z: 1, w: 0), CIVector(x: 1, y: 0, z: 0, w: 0))
        let swapped: [[UInt8]] = [[0, 0, 255], [0, 255, 0], [255, 0, 0], [200, 130, 90]]
        #expect(try Self.bytes(try #require(matrix.outputImage)) == Self.opaque(swapped))
        let named = square.applyingFilter(
            "CIColorMatrix", parameters: ["inputRVector": CIVector(x: 0, y: 0, z: 1), "inputBVector": CIVector(x: 1, y: 0, z: 0)])
        #expect(try Self.bytes(named) == Self.opaque(swapped))

        let exposure = try #require(CIFilter(name: "CIExposureAdjust", parameters: [kCIInputImageKey: square, kCIInputEVKey: -1.0]))
        #expect(try Self.bytes(try #require(exposure.outputImage))[0] == [188, 0, 0, 255])
        let grey = try #require(CIFilter(name: "CIColorControls", parameters: [kCIInputImageKey: square, kCIInputSaturationKey: 0]))
        #expect(try Self.bytes(try #require(grey.outputImage)).allSatisfy { Set($0.dropLast()).count == 1 })
        #expect(try Self.bytes(square.applyingFilter("CIColorInvert"))[1] == [255, 0, 255, 255])
        let mean = CIFilter.areaAverage()
        mean.inputImage = CIImage.black.cropped(to: CGRect(x: 0, y: 0, width: 1, height: 2)).composited(over: .white)
        mean.extent = CGRect(x: 0, y: 0, width: 2, height: 2)
        #expect(try Self.bytes(try #require(mean.outputImage)) == Self.opaque([[188, 188, 188]]))
        #expect(CIFilter(name: "CINoSuchFilter") == nil && CIFilter(name: "CIGaussianBlur")?.outputImage == nil)
    }

    @Test("has a filter for every name that the page lists, whose defaults work")
    func everyFilter() throws {
        let square = try Self.square
        for name in CIFilter.filterNames(inCategory: nil) {
            let filter = try #require(CIFilter(name: name))
            for key in filter.inputKeys where key.hasSuffix("Image") { filter.setValue(square, forKey: key) }
            if name.hasPrefix("CIColorCube") {
                let corners: [Float] = (0..<8).flatMap { [$0 & 1, $0 >> 1 & 1, $0 >> 2, 1].map { Float($0) } }
                filter.setValue(corners.withUnsafeBytes { Data($0) }, forKey: "inputCubeData")
                if filter.inputKeys.contains("inputColorSpace") { filter.setValue(Self.space, forKey: "inputColorSpace") }
            }
            if name == "CIAreaAverage" { filter.setValue(CIVector(cgRect: square.extent), forKey: kCIInputExtentKey) }
            let output = try #require(filter.outputImage, "\(name)")
            let corner = output.extent.isInfinite ? .zero : output.extent.origin
            #expect(try Self.bytes(output, CGRect(origin: corner, size: CGSize(width: 1, height: 1))).count == 1, "\(name)")
        }
        #expect(CIFilter.filterNames(inCategory: nil).count == 84)
    }

    @Test(
        "of a camera's buffer comes back from 420v within a step of each component",
        arguments: [
            kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_32BGRA,
        ])
    func buffers(_ format: OSType) throws {
        var buffer: CVPixelBuffer?
        CVPixelBufferCreate(kCFAllocatorDefault, 6, 4, format, nil, &buffer)
        let target = try #require(buffer)
        let colour = CIColor(red: 200 / 255, green: 100 / 255, blue: 50 / 255)
        CIContext().render(CIImage(color: colour), to: target)
        let back = try Self.bytes(CIImage(cvPixelBuffer: target))
        #expect(back.count == 24)
        for pixel in back { for (value, wanted) in zip(pixel, [200, 100, 50, 255]) { #expect(abs(Int(value) - wanted) <= 2, "\(pixel)") } }
    }

    @Test("of a disparity map is its values, and their reciprocals as depth")
    func depth() throws {
        var buffer: CVPixelBuffer?
        CVPixelBufferCreate(kCFAllocatorDefault, 2, 1, kCVPixelFormatType_DisparityFloat32, nil, &buffer)
        let map = try #require(buffer)
        let row = try #require(CVPixelBufferGetBaseAddress(map)).assumingMemoryBound(to: Float.self)
        (row[0], row[1]) = (0.5, 4)
        var values = [Float](repeating: 0, count: 8)
        let depth = CIImage(cvPixelBuffer: map).applyingFilter("CIDisparityToDepth")
        CIContext().render(depth, toBitmap: &values, rowBytes: 32, bounds: depth.extent, format: .RGBAf, colorSpace: nil)
        #expect(values[0] == 2 && values[4] == 0.25)
    }

    @Test("becomes JPEG and PNG files that ImageIO reads")
    func files() throws {
        let (square, context) = (try Self.square, CIContext())
        let png = try #require(context.pngRepresentation(of: square, format: .RGBA8, colorSpace: Self.space))
        #expect(try Self.bytes(try #require(CIImage(data: png))) == Self.opaque(Self.corners))
        let quality = CIImageRepresentationOption(rawValue: kCGImageDestinationLossyCompressionQuality as String)
        let large = CIImage(color: .red).cropped(to: CGRect(x: 0, y: 0, width: 32, height: 16))
        let jpeg = try #require(context.jpegRepresentation(of: large, colorSpace: Self.space, options: [quality: 0.9]))
        let read = try #require(CIImage(data: jpeg))
        let first = try Self.bytes(read)[0]
        #expect(read.extent.size == CGSize(width: 32, height: 16) && first[0] > 250 && first[1] < 6)
        #expect(context.jpegRepresentation(of: .red, colorSpace: Self.space) == nil && CIImage(data: Data([1, 2, 3])) == nil)
    }
}

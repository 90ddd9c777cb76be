@testable import Bokeh
import CoreVideo
import Optics
import Pipeline
import Testing

@Suite("Where a picture shows lights")
struct LightFinderTests {
    /// A dark picture with a square of `colour`, 0…1, from (40, 24) to (44, 28).
    private static func dark(_ width: Int, _ format: OSType, with colour: SIMD4<Float>) throws -> CVPixelBuffer {
        let image = CVPixelBuffer(width: width, height: 64, pixelFormat: format)
        let coding = try #require(PictureFormat(image))
        for y in 0..<64 {
            for x in 0..<width {
                let colour = (40..<44).contains(x) && (24..<28).contains(y) ? colour : SIMD4(0.1, 0.1, 0.1, 0)
                let codes = coding.codes(colour)
                switch coding.layout {
                case .packed:
                    let bytes = SIMD4<UInt8>(colour * 255, rounding: .toNearestOrEven)
                    image.plane(0).row(y, as: SIMD4<UInt8>.self)[x] = SIMD4(bytes.z, bytes.y, bytes.x, 255)
                case .wide:
                    let words = SIMD4<UInt16>(colour * 65535, rounding: .toNearestOrEven)
                    image.plane(0).row(y, as: SIMD4<UInt16>.self)[x] = SIMD4(words.x, words.y, words.z, 65535)
                case .planar:
                    image.plane(0).row(y, as: UInt8.self)[x] = UInt8(codes.x.rounded())
                    image.plane(1).row(y / 2, as: UInt8.self)[x] = UInt8(min(codes[1 + x % 2].rounded(), 255))
                case .deep:
                    image.plane(0).row(y, as: UInt16.self)[x] = UInt16(codes.x.rounded()) << 6
                    image.plane(1).row(y / 2, as: UInt16.self)[x] = UInt16(codes[1 + x % 2].rounded()) << 6
                }
            }
        }
        return image
    }

    static let lights: [SIMD4<Float>] = [[1, 1, 1, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [1, 0.5, 0, 0], [0.95, 0.9, 0.4, 0]]

    @Test("one of any colour is found where it is, in every format", arguments: TestPicture.formats + [TestPicture.wide], lights)
    func find(format: OSType, colour: SIMD4<Float>) throws {
        let image = try Self.dark(64, format, with: colour)
        let finder = LightFinder(image, format: try #require(PictureFormat(image)), knee: 0.8)
        #expect(finder.hasLight(columns: 32..<64, rows: 16..<32))
        #expect(finder.hasLight(columns: -16..<80, rows: -16..<80))
        #expect(!finder.hasLight(columns: 0..<32, rows: 0..<64))
        #expect(!finder.hasLight(columns: 0..<64, rows: 28..<64))
    }

    @Test("what reflects light is none", arguments: TestPicture.formats, [[0.85, 0.85, 0.85, 0], [0.85, 0.1, 0.1, 0]] as [SIMD4<Float>])
    func surfaces(format: OSType, colour: SIMD4<Float>) throws {
        let image = try Self.dark(64, format, with: colour)
        #expect(!LightFinder(image, format: try #require(PictureFormat(image)), knee: 0.8).hasLight(columns: 0..<64, rows: 0..<64))
    }

    @Test(
        "A radius of 4 layer pixels in front of the focus is drawn coarsely, but beside lights; of 5 everywhere", arguments: [3.5, 4.5, 5.5],
        [false, true])
    func coarse(radius: Double, isLit: Bool) throws {
        let image = try Self.dark(192, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, with: SIMD4(repeating: isLit ? 1 : 0.5))
        let map = TestPicture.disparity(192, 64) { _, _ in 1 }
        let geometry = try LensGeometry(image: image, disparity: map)
        let circle = CircleOfConfusion(focusDisparity: 0, diameterPerDisparity: 4 * radius)
        let parameters = geometry.parameters(circle: circle, options: BokehOptions(highlights: 0))
        let radii = TileRadii(image, geometry: geometry, parameters: parameters, disparity: map)
        let plan = LensPlan(radii: radii, scale: geometry.scale, isRound: true)
        // The light lies in the second tile of the first row, eight pixels from the third.
        #expect(plan.isUniformCoarse[5] == (radius > 4))
        #expect(plan.isUniformCoarse[1] == (radius > 5 || radius > 4 && !isLit))
    }
}

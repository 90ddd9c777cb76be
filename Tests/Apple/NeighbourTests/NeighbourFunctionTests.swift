import Accelerate
import CoreVideo
import Foundation
import ImageIO
import QuartzCore
import Testing
import UIKit
import simd

/// Functions of the neighbours that no other test calls by name.
@Suite("Functions of the neighbours")
struct NeighbourFunctionTests {
    @Test("of maps of space come ahead of the map that they are given")
    func space() {
        func map(_ t: CATransform3D, _ x: CGFloat, _ y: CGFloat, _ z: CGFloat) -> [CGFloat] {
            let rows = [[t.m11, t.m12, t.m13], [t.m21, t.m22, t.m23], [t.m31, t.m32, t.m33], [t.m41, t.m42, t.m43]]
            return (0..<3).map { x * rows[0][$0] + y * rows[1][$0] + z * rows[2][$0] + rows[3][$0] }
        }
        let moved = CATransform3DMakeTranslation(10, 0, 0)
        #expect(map(CATransform3DScale(moved, 2, 3, 4), 1, 1, 1) == [12, 3, 4])
        // A quarter about z takes x to y.
        let turned = map(CATransform3DRotate(moved, .pi / 2, 0, 0, 2), 1, 0, 5)
        #expect(zip(turned, [10, 1, 5]).allSatisfy { abs($0 - $1) < 1e-12 })
        let plane = CGAffineTransform(a: 1, b: 2, c: 3, d: 4, tx: 5, ty: 6)
        let point = CGPoint(x: 7, y: 8).applying(plane)
        #expect(map(CATransform3DMakeAffineTransform(plane), 7, 8, 9) == [point.x, point.y, 9])
    }

    private final class Layout: CALayer, @unchecked Sendable {
        var count = 0
        override func layoutSublayers() { count += 1 }
    }

    @Test("of layers keep their order and lay out at once; what follows a batch is called")
    func layers() {
        let (parent, first, second) = (Layout(), CALayer(), CALayer())
        parent.addSublayer(first)
        parent.insertSublayer(second, at: 0)
        #expect(parent.sublayers?.map { $0 === second } == [true, false])
        second.removeFromSuperlayer()
        #expect(parent.sublayers?.count == 1 && second.superlayer == nil)
        let before = parent.count
        parent.setNeedsLayout()
        parent.layoutIfNeeded()
        #expect(parent.count == before + 1)
        var isOver = false
        CATransaction.begin()
        CATransaction.setDisableActions(true)
        CATransaction.setAnimationDuration(1)
        CATransaction.setCompletionBlock { isOver = true }
        CATransaction.commit()
        #expect(isOver)
    }

    /// Two by three pixels of four components, the first of which is the pixel's number.
    private func turned(_ quarters: UInt8) -> [UInt8] {
        var pixels: [UInt8] = (0..<6).flatMap { (number: UInt8) -> [UInt8] in [number, 100, 101, 102] }
        var result = [UInt8](repeating: 255, count: 24)
        let isOdd = quarters % 2 == 1
        pixels.withUnsafeMutableBytes { source in
            result.withUnsafeMutableBytes { target in
                var from = vImage_Buffer(data: source.baseAddress!, height: 3, width: 2, rowBytes: 8)
                var to = vImage_Buffer(data: target.baseAddress!, height: isOdd ? 2 : 3, width: isOdd ? 3 : 2, rowBytes: isOdd ? 12 : 8)
                #expect(vImageRotate90_ARGB8888(&from, &to, quarters, [0, 0, 0, 0], 0) == kvImageNoError)
            }
        }
        return stride(from: 0, to: 24, by: 4).map { result[$0] }
    }

    @Test("of vImage turn, mirror and leave out components")
    func pictures() {
        // 0 1 / 2 3 / 4 5
        #expect(turned(kRotate90DegreesClockwise) == [4, 2, 0, 5, 3, 1] && turned(kRotate90DegreesCounterClockwise) == [1, 3, 5, 0, 2, 4])
        #expect(turned(kRotate180DegreesClockwise) == [5, 4, 3, 2, 1, 0] && turned(kRotate0DegreesClockwise) == [0, 1, 2, 3, 4, 5])
        var pixels: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        var three = [UInt8](repeating: 0, count: 6)
        pixels.withUnsafeMutableBytes { source in
            three.withUnsafeMutableBytes { target in
                var column = vImage_Buffer(data: source.baseAddress!, height: 2, width: 1, rowBytes: 4)
                var out = vImage_Buffer(data: target.baseAddress!, height: 2, width: 1, rowBytes: 3)
                #expect(vImageVerticalReflect_ARGB8888(&column, &column, 0) == kvImageNoError)
                #expect(vImageConvert_RGBA8888toRGB888(&column, &out, 0) == kvImageNoError)
            }
        }
        #expect(pixels == [5, 6, 7, 8, 1, 2, 3, 4] && three == [5, 6, 7, 1, 2, 3])
        pixels.withUnsafeMutableBytes { source in
            three.withUnsafeMutableBytes { target in
                var row = vImage_Buffer(data: source.baseAddress!, height: 1, width: 2, rowBytes: 8)
                var out = vImage_Buffer(data: target.baseAddress!, height: 1, width: 2, rowBytes: 6)
                #expect(vImageConvert_RGBA8888toBGR888(&row, &out, 0) == kvImageNoError)
            }
        }
        #expect(three == [7, 6, 5, 3, 2, 1])
    }

    @Test("of vectors calculate element by element")
    func vectors() {
        let (one, other) = (SIMD3<Float>(1, 2, 2), SIMD3<Float>(3, 0, 4))
        #expect(simd_dot(one, other) == 11 && simd_length_squared(one) == 9 && simd_distance(one, other) == Float(12).squareRoot())
        #expect(simd_normalize(one) == one / 3 && normalize(one) == one / 3 && simd_make_float2(1, 2) == SIMD2(1, 2))
        #expect(simd_min(one, other) == SIMD3(1, 0, 2) && simd_max(one, other) == SIMD3(3, 2, 4))
        #expect(simd_clamp(other, SIMD3(repeating: 1), SIMD3(repeating: 3)) == SIMD3(3, 1, 3))
        #expect(simd_mix(one, other, SIMD3(repeating: 0.5)) == SIMD3(2, 1, 3))
        let values: [Float] = [1, -3, 5, -7]
        #expect(vDSP.meanSquare(values) == 21 && vDSP.meanMagnitude(values) == 4)
        var (scaled, factor) = ([Float](repeating: 0, count: 2), Float(-2))
        vDSP_vsmul(values, 2, &factor, &scaled, 1, 2)
        #expect(scaled == [-2, -10])
        vDSP_vflt16([-5, 7] as [Int16], 1, &scaled, 1, 2)
        #expect(scaled == [-5, 7])
    }

    @Test("of UIKit draw where they are told, and give colours their alpha")
    func drawing() throws {
        var (red, alpha) = (CGFloat(0), CGFloat(0))
        #expect(UIColor(red: 0.5, green: 0.25, blue: 0, alpha: 1).withAlphaComponent(0.3).getRed(&red, green: nil, blue: nil, alpha: &alpha))
        #expect(red == 0.5 && alpha == 0.3)
        UIGraphicsBeginImageContext(CGSize(width: 4, height: 4))
        let below = try #require(UIGraphicsGetCurrentContext())
        let above = try #require(
            CGContext(
                data: nil, width: 4, height: 4, bitsPerComponent: 8, bytesPerRow: 0, space: CGColorSpaceCreateDeviceRGB(),
                bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue))
        UIGraphicsPushContext(above)
        #expect(UIGraphicsGetCurrentContext() === above)
        UIColor.red.setFill()
        UIRectFill(CGRect(x: 0, y: 0, width: 4, height: 4))
        UIGraphicsPopContext()
        #expect(UIGraphicsGetCurrentContext() === below)
        func first(_ context: CGContext) -> UInt8? { context.data?.load(as: UInt8.self) }
        #expect(first(above) == 255 && first(below) == 0)
        UIGraphicsEndImageContext()
        #expect(UIGraphicsGetCurrentContext() == nil)
    }

    @Test("of ImageIO read and write files and what they say")
    func files() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "neighbour-\(UUID().uuidString).jpg")
        defer { try? FileManager.default.removeItem(at: url) }
        let context = try #require(
            CGContext(
                data: nil, width: 8, height: 4, bitsPerComponent: 8, bytesPerRow: 0, space: CGColorSpaceCreateDeviceRGB(),
                bitmapInfo: CGImageAlphaInfo.noneSkipLast.rawValue))
        let picture = try #require(context.makeImage())
        let destination = try #require(CGImageDestinationCreateWithURL(url as NSURL, "public.jpeg" as NSString, 1, nil))
        CGImageDestinationSetProperties(destination, [kCGImagePropertyOrientation: 6] as NSDictionary)
        CGImageDestinationAddImage(destination, picture, nil)
        #expect(CGImageDestinationFinalize(destination))
        let source = try #require(CGImageSourceCreateWithURL(url as NSURL, nil))
        let properties = try #require(CGImageSourceCopyPropertiesAtIndex(source, 0, nil))
        #expect(properties[kCGImagePropertyPixelWidth] as? Int == 8 && properties[kCGImagePropertyOrientation] as? Int == 6)
        let provider = try #require(CGDataProvider(data: try Data(contentsOf: url) as NSData))
        let again = try #require(CGImageSourceCreateWithDataProvider(provider, nil))
        #expect(CGImageSourceGetCount(again) == 1 && CGImageSourceGetType(again) as String? == "public.jpeg")
        for names in [CGImageSourceCopyTypeIdentifiers(), CGImageDestinationCopyTypeIdentifiers()] {
            #expect((names as? [String])?.contains("public.jpeg") == true)
        }
        #expect(CGImageSourceCreateWithURL(url.appending(path: "nowhere") as NSURL, nil) == nil)
    }
}

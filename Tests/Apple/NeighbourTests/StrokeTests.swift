import CoreVideo
import Foundation
import Testing
import UIKit

@Suite("A line drawn along a path")
struct StrokeTests {
    /// Opacities of 20 × 20 pixels, the bottom row first, of what is drawn in black.
    private static func covers(_ draw: (CGContext) -> Void) throws -> [[Double]] {
        let context = try #require(
            CGContext(
                data: nil, width: 20, height: 20, bitsPerComponent: 8, bytesPerRow: 80, space: CGColorSpaceCreateDeviceRGB(),
                bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue))
        draw(context)
        let bytes = try #require(context.data).assumingMemoryBound(to: UInt8.self)
        return (0..<20).map { row in (0..<20).map { Double(bytes[(19 - row) * 80 + $0 * 4 + 3]) / 255 } }
    }

    private static func area(_ draw: (CGContext) -> Void) throws -> Double { try covers(draw).flatMap(\.self).reduce(0, +) }

    @Test("is as wide as the pen, in the colour of lines, and leaves the inside")
    func rectangle() throws {
        let rows = try Self.covers { context in
            context.setLineWidth(2)
            context.stroke(CGRect(x: 5, y: 5, width: 10, height: 10))
        }
        #expect(rows[4][4] == 1 && rows[5][10] == 1 && rows[6][10] == 0 && rows[10][10] == 0 && rows[3][10] == 0 && rows[15][15] == 1)
        #expect(rows.flatMap(\.self).reduce(0, +) == 80)
    }

    @Test("ends and turns as its caps and joins say")
    func shapes() throws {
        func line(_ cap: CGLineCap) throws -> Double {
            try Self.area { context in
                context.setLineWidth(4)
                context.setLineCap(cap)
                context.strokeLineSegments(between: [CGPoint(x: 6, y: 10), CGPoint(x: 14, y: 10)])
            }
        }
        #expect(try line(.butt) == 32 && abs(line(.square) - 48) < 0.1 && abs(line(.round) - 32 - 4 * .pi) < 0.3)
        func corner(_ join: CGLineJoin, limit: CGFloat = 10) throws -> Double {
            try Self.area { context in
                context.setLineWidth(4)
                context.setLineJoin(join)
                context.setMiterLimit(limit)
                context.addLines(between: [CGPoint(x: 4, y: 4), CGPoint(x: 14, y: 4), CGPoint(x: 14, y: 14)])
                context.strokePath()
            }
        }
        // Two bars of 40 share a quarter of 4; the corner beyond them has 4.
        #expect(try abs(corner(.miter) - 80) < 0.1 && abs(corner(.bevel) - 78) < 0.1 && abs(corner(.round) - 76 - .pi) < 0.2)
        #expect(try abs(corner(.miter, limit: 1) - 78) < 0.1)
    }

    @Test("follows circles, curves and the user's scale")
    func curves() throws {
        let ring = try Self.area { context in
            context.scaleBy(x: 2, y: 2)
            context.setLineWidth(1)
            context.strokeEllipse(in: CGRect(x: 2, y: 2, width: 6, height: 6))
        }
        #expect(abs(ring - 2 * .pi * 6 * 2) < 0.5)
        let both = try Self.area { context in
            context.setLineWidth(2)
            context.addRect(CGRect(x: 5, y: 5, width: 10, height: 10))
            context.drawPath(using: .fillStroke)
        }
        #expect(both == 144)
        let dot = try #require(CGMutablePath().copy() as CGPath?)
        #expect(dot.copy(strokingWithWidth: 2, lineCap: .round, lineJoin: .round, miterLimit: 10).isEmpty)
    }

    @Test(
        "lays a colour over another as PDF and Porter and Duff say",
        arguments: [
            (CGBlendMode.multiply, 0.2), (.screen, 0.7), (.overlay, 0.4), (.hardLight, 0.4), (.softLight, 0.45), (.difference, 0.1),
            (.exclusion, 0.5),
            (.darken, 0.4), (.lighten, 0.5), (.colorDodge, 0.8333), (.colorBurn, 0), (.plusLighter, 0.9), (.sourceAtop, 0.4), (.destinationOver, 0.5),
        ])
    func modes(mode: CGBlendMode, expected: Double) throws {
        let context = try #require(
            CGContext(
                data: nil, width: 1, height: 1, bitsPerComponent: 8, bytesPerRow: 4, space: CGColorSpaceCreateDeviceRGB(),
                bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue))
        context.setFillColor(gray: 0.5, alpha: 1)
        context.fill(CGRect(x: 0, y: 0, width: 1, height: 1))
        context.setBlendMode(mode)
        context.setFillColor(gray: 0.4, alpha: 1)
        context.fill(CGRect(x: 0, y: 0, width: 1, height: 1))
        let value = Double(try #require(context.data).load(as: UInt8.self)) / 255
        #expect(abs(value - expected) < 0.005)
    }

    @Test("is drawn by a path of UIKit's, and pictures are tinted, turned and made small")
    func pictures() throws {
        let format = UIGraphicsImageRendererFormat()
        let image = UIGraphicsImageRenderer(size: CGSize(width: 40, height: 20), format: format).image { _ in
            let path = UIBezierPath(rect: CGRect(x: 10, y: 5, width: 20, height: 10))
            path.lineWidth = 4
            UIColor(red: 1, green: 0, blue: 0, alpha: 1).setStroke()
            path.stroke()
        }
        func pixel(_ image: UIImage, _ x: Int, _ y: Int) throws -> [UInt8] {
            let picture = try #require(image.cgImage)
            let bytes = try #require(picture.dataProvider?.data)
            return Array(UnsafeBufferPointer(start: CFDataGetBytePtr(bytes) + y * picture.bytesPerRow + 4 * x, count: 4))
        }
        #expect(try pixel(image, 10, 10) == [255, 0, 0, 255] && pixel(image, 20, 10) == [0, 0, 0, 0])
        let tinted = image.withTintColor(UIColor(red: 0, green: 0, blue: 1, alpha: 1))
        #expect(try pixel(tinted, 10, 10) == [0, 0, 255, 255] && pixel(tinted, 20, 10) == [0, 0, 0, 0])
        let small = try #require(image.preparingThumbnail(of: CGSize(width: 10, height: 10)))
        #expect(small.size == CGSize(width: 10, height: 5))
        let turned = UIImage(cgImage: try #require(image.cgImage), scale: 1, orientation: .right)
        #expect(turned.preparingThumbnail(of: CGSize(width: 10, height: 10))?.size == CGSize(width: 5, height: 10))
        #expect(turned.withHorizontallyFlippedOrientation().imageOrientation == .leftMirrored)
        let template = turned.withRenderingMode(.alwaysTemplate)
        #expect(template.renderingMode == .alwaysTemplate && template.imageOrientation == .right && turned.renderingMode == .automatic)
        #expect(image.withTintColor(.red, renderingMode: .alwaysOriginal).renderingMode == .alwaysOriginal)
        #expect(
            UIImage().preparingThumbnail(of: CGSize(width: 1, height: 1)) == nil && UIImage(systemName: "camera") == nil
                && UIImage(named: "none") == nil)
    }

    @Test("has texts of its geometry, as coders write them")
    func texts() {
        #expect(NSCoder.string(for: CGRect(x: 1, y: 2.5, width: 3, height: 4)) == "{{1, 2.5}, {3, 4}}")
        #expect(NSCoder.cgRect(for: "{{1, 2.5}, {3, 4}}") == CGRect(x: 1, y: 2.5, width: 3, height: 4) && NSCoder.cgSize(for: "x") == .zero)
        #expect(
            NSCoder.cgAffineTransform(for: NSCoder.string(for: CGAffineTransform(rotationAngle: .pi / 2).scaledBy(x: 2, y: 2))).a.magnitude < 1e-9)
    }
}

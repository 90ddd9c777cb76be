import CoreVideo
import Foundation
import Testing

@Suite("Paths and drawing")
struct PathTests {
    private let circle = CGPath(ellipseIn: CGRect(x: 2, y: 4, width: 6, height: 6), transform: nil)

    @Test("a circle's outline touches its rectangle, and its control points, too")
    func boxes() {
        #expect(circle.boundingBoxOfPath.distance(to: CGRect(x: 2, y: 4, width: 6, height: 6)) < 1e-9)
        let curve = CGMutablePath()
        curve.move(to: .zero)
        curve.addQuadCurve(to: CGPoint(x: 4, y: 0), control: CGPoint(x: 2, y: 4))
        #expect(curve.boundingBox == CGRect(x: 0, y: 0, width: 4, height: 4))
        #expect(curve.boundingBoxOfPath == CGRect(x: 0, y: 0, width: 4, height: 2))
        #expect(CGMutablePath().boundingBox.isNull && CGMutablePath().currentPoint == .zero)
        let cubic = CGMutablePath()
        cubic.move(to: .zero)
        cubic.addCurve(to: CGPoint(x: 3, y: 0), control1: CGPoint(x: 1, y: 4), control2: CGPoint(x: 2, y: 4))
        #expect(cubic.boundingBoxOfPath == CGRect(x: 0, y: 0, width: 3, height: 3))
    }

    @Test("points lie within by the winding number, or by odd crossings")
    func within() {
        #expect(circle.contains(CGPoint(x: 5, y: 7)) && circle.contains(CGPoint(x: 7.05, y: 9.05)) && !circle.contains(CGPoint(x: 7.2, y: 9.2)))
        let rings = CGMutablePath()
        rings.addRect(CGRect(x: 0, y: 0, width: 10, height: 10))
        rings.addRect(CGRect(x: 2, y: 2, width: 6, height: 6))
        #expect(rings.contains(CGPoint(x: 5, y: 5)) && !rings.contains(CGPoint(x: 5, y: 5), using: .evenOdd))
        #expect(rings.contains(CGPoint(x: 1, y: 1), using: .evenOdd))
        var shift = CGAffineTransform(translationX: 20, y: 0)
        #expect(rings.copy(using: &shift)?.boundingBox.minX == 20 && rings.mutableCopy() == rings)
    }

    @Test("elements come in order; what follows a closed subpath begins where that did")
    func elements() {
        let path = CGMutablePath()
        path.addLine(to: CGPoint(x: 9, y: 9))
        path.addLines(between: [CGPoint(x: 1, y: 1), CGPoint(x: 5, y: 1), CGPoint(x: 5, y: 5)])
        path.closeSubpath()
        #expect(path.currentPoint == CGPoint(x: 1, y: 1))
        path.addLine(to: CGPoint(x: 0, y: 7))
        var seen: [(CGPathElementType, CGPoint)] = []
        path.applyWithBlock { seen.append(($0.pointee.type, $0.pointee.points[0])) }
        #expect(seen.map(\.0) == [.moveToPoint, .addLineToPoint, .addLineToPoint, .closeSubpath, .moveToPoint, .addLineToPoint])
        #expect(seen[4].1 == CGPoint(x: 1, y: 1) && seen[5].1 == CGPoint(x: 0, y: 7))
    }

    @Test("arcs go the way that is asked for, also beyond half a turn")
    func arcs() {
        let up = CGMutablePath()
        up.addArc(center: .zero, radius: 2, startAngle: 0, endAngle: .pi, clockwise: false)
        #expect(up.boundingBoxOfPath.distance(to: CGRect(x: -2, y: 0, width: 4, height: 2)) < 1e-9)
        let down = CGMutablePath()
        down.addArc(center: .zero, radius: 2, startAngle: 0, endAngle: .pi, clockwise: true)
        #expect(down.boundingBoxOfPath.distance(to: CGRect(x: -2, y: -2, width: 4, height: 2)) < 1e-9)
        let round = CGPath(roundedRect: CGRect(x: 0, y: 0, width: 10, height: 6), cornerWidth: 3, cornerHeight: 9, transform: nil)
        #expect(round.boundingBoxOfPath.distance(to: CGRect(x: 0, y: 0, width: 10, height: 6)) < 1e-9)
        #expect(!round.contains(CGPoint(x: 0.5, y: 0.5)) && round.contains(CGPoint(x: 5, y: 0.5)))
    }

    @Test("fills cover pixels by their share, over what is there")
    func fills() throws {
        let context = try Self.bitmap(4, 2)
        context.setFillColor(red: 1, green: 1, blue: 1, alpha: 1)
        context.fill(CGRect(x: 0.5, y: 0, width: 2, height: 1))
        // The lower row is the last in memory.
        #expect(Self.reds(context) == [[0, 0, 0, 0], [128, 255, 128, 0]])
        context.setFillColor(red: 0, green: 0, blue: 0, alpha: 0.5)
        context.fill([CGRect(x: 1, y: 0, width: 1, height: 1)])
        #expect(Self.reds(context)[1] == [128, 128, 128, 0])
        context.clear(CGRect(x: 0, y: 0, width: 1, height: 2))
        context.setBlendMode(.copy)
        context.setAlpha(0.5)
        context.setFillColor(gray: 1, alpha: 1)
        context.fill(CGRect(x: 3, y: 1, width: 1, height: 1))
        #expect(Self.alphas(context) == [[0, 0, 0, 128], [0, 255, 128, 0]])
    }

    @Test("a picture is drawn upright, enlarged by its nearest pixels or between them")
    func pictures() throws {
        let image = try #require(Self.grey([0, 255, 100, 200], width: 2))
        let context = try Self.bitmap(4, 4)
        context.interpolationQuality = .none
        context.draw(image, in: CGRect(x: 0, y: 0, width: 4, height: 4))
        #expect(Self.reds(context) == [[0, 0, 255, 255], [0, 0, 255, 255], [100, 100, 200, 200], [100, 100, 200, 200]])
        context.interpolationQuality = .high
        context.draw(image, in: CGRect(x: 0, y: 0, width: 4, height: 4))
        #expect(Self.reds(context)[0] == [0, 64, 191, 255])
        // Turned over about the middle, as apps do whose origin is the top.
        context.translateBy(x: 0, y: 4)
        context.scaleBy(x: 1, y: -1)
        context.interpolationQuality = .none
        context.draw(image, in: CGRect(x: 0, y: 0, width: 4, height: 4))
        #expect(Self.reds(context)[0] == [100, 100, 200, 200])
    }

    @Test("a reduced picture is the mean of its pixels; at its own size it is itself")
    func sizes() throws {
        let bytes = (0..<64).map { UInt8($0 % 2 == 0 ? 0 : 200) }
        let image = try #require(Self.grey(bytes, width: 8))
        let context = try Self.bitmap(2, 2)
        context.draw(image, in: CGRect(x: 0, y: 0, width: 2, height: 2))
        #expect(Self.reds(context).allSatisfy { $0.allSatisfy { (90...110).contains($0) } })
        let same = try Self.bitmap(8, 8)
        same.draw(image, in: CGRect(x: 0, y: 0, width: 8, height: 8))
        #expect(Self.reds(same).flatMap { $0 } == bytes)
    }

    @Test("clips hold until the state is taken back")
    func clips() throws {
        let context = try Self.bitmap(4, 1)
        context.setFillColor(gray: 1, alpha: 1)
        context.saveGState()
        context.clip(to: CGRect(x: 1, y: 0, width: 2, height: 1))
        context.addRect(CGRect(x: 2, y: 0, width: 2, height: 1))
        context.clip()
        context.fill(CGRect(x: 0, y: 0, width: 4, height: 1))
        #expect(Self.reds(context) == [[0, 0, 255, 0]])
        context.restoreGState()
        context.addEllipse(in: CGRect(x: -50, y: -50, width: 100, height: 100))
        context.fillPath()
        #expect(Self.reds(context) == [[255, 255, 255, 255]] && context.path == nil)
    }

    private static func bitmap(_ width: Int, _ height: Int) throws -> CGContext {
        let info = kCGBitmapByteOrder32Host.rawValue | CGImageAlphaInfo.premultipliedFirst.rawValue
        return try #require(
            CGContext(
                data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 0, space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: info))
    }

    private static func grey(_ bytes: [UInt8], width: Int) -> CGImage? {
        CGDataProvider(data: Data(bytes) as CFData).flatMap {
            CGImage(
                width: width, height: bytes.count / width, bitsPerComponent: 8, bitsPerPixel: 8, bytesPerRow: width,
                space: CGColorSpaceCreateDeviceGray(), bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.none.rawValue), provider: $0, decode: nil,
                shouldInterpolate: true, intent: .defaultIntent)
        }
    }

    private static func reds(_ context: CGContext) -> [[UInt8]] { components(context, 2) }
    private static func alphas(_ context: CGContext) -> [[UInt8]] { components(context, 3) }

    /// Bytes of a component of BGRA, row by row.
    private static func components(_ context: CGContext, _ offset: Int) -> [[UInt8]] {
        (0..<context.height).map { y in
            (0..<context.width).map { x in
                context.data!.load(fromByteOffset: y * context.bytesPerRow + 4 * x + offset, as: UInt8.self)
            }
        }
    }
}

extension CGRect {
    /// Greatest difference of the four sides.
    fileprivate func distance(to other: CGRect) -> CGFloat {
        max(abs(minX - other.minX), abs(minY - other.minY), abs(maxX - other.maxX), abs(maxY - other.maxY))
    }
}

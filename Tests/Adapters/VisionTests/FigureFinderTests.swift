import CoreVideo
import Foundation
import Pipeline
import Testing

@testable import Vision

@Suite("People of whom a part stands out")
struct FigureFinderTests {
    private static let (width, height) = (320, 180)
    /// Crown and height of somebody dark before a plain wall, pixels, in the middle of the picture.
    private static let (crown, size) = (20.0, 120.0)

    private static func isFigure(_ x: Int, _ y: Int, at middle: Double) -> Bool {
        let across = abs(Double(x) + 0.5 - middle) / size
        let down = (Double(y) + 0.5 - crown) / size
        if hypot(across / 0.06, (down - 0.07) / 0.075) < 1 { return true }
        if down < 0.13 || down >= 1 { return false }
        if down >= 0.52 { return across > 0.02 * (down - 0.5) && across < 0.11 }
        let shoulders = min((down - 0.13) / 0.07, 1)
        return across < 0.13 * shoulders
    }

    private static func picture(middle: Double = 160) -> CVPixelBuffer {
        Pictures.picture(width, height) { x, y in isFigure(x, y, at: middle) ? 60 : 190 }
    }

    /// A part of the back; a tap means what it hits, and no more.
    private static func part(isTapped: Bool = false, middle: Double = 160) -> Detection {
        let box = CGRect(x: (middle - 8) / 320, y: 45 / 180.0, width: 16 / 320.0, height: 16 / 180.0)
        return Detection(objectID: 7, groupID: 3, kind: .salientObject, bounds: box, salience: isTapped ? nil : 0.5)
    }

    @Test("somebody seen from behind is one surface from head to shoes, though only a part of the back stands out")
    func whole() throws {
        let map = try MonocularDepthEstimator().disparity(of: Pictures.frame(Self.picture()), detections: [Self.part()])
        func value(_ x: Int, _ y: Int) -> Double { Double(map.row(y * map.height / Self.height)[x * map.width / Self.width]) }
        let back = value(160, 53)
        for (x, y) in [(160, 28), (148, 70), (172, 70), (153, 125), (167, 125)] { #expect(abs(value(x, y) / back - 1) < 0.05, "at \(x), \(y)") }
        for (x, y) in [(100, 30), (230, 50)] { #expect(value(x, y) < 0.3 * back, "at \(x), \(y)") }
    }

    @Test("who is found has head and body in the group of the part, and is carried along between two looks")
    func carried() throws {
        var (pictures, finder, middles) = (ScenePictures(), FigureFinder(), [Double]())
        for index in 0..<5 {
            let middle = Double(160 + 2 * index)
            let picture = try pictures.next(Pictures.frame(Self.picture(middle: middle), index: index))
            let found = try finder.added(to: [Self.part(middle: middle)], in: picture)
            let body = try #require(found.first { $0.kind == .humanBody })
            #expect(found.contains { $0.kind == .humanHead } && found.allSatisfy { $0.groupID == 3 })
            #expect(body.bounds.height > 0.6 && body.bounds.contains(CGPoint(x: middle / 320, y: 0.5)), "picture \(index): \(body.bounds)")
            middles.append(320 * body.bounds.midX)
        }
        let carried = middles[4] - middles[0]
        #expect(carried > 6 && carried < 10, "\(middles)")
    }

    @Test("what is tapped is what is meant, and before a wall alone nobody is found")
    func nobody() throws {
        var (pictures, finder) = (ScenePictures(), FigureFinder())
        let tapped = try pictures.next(Pictures.frame(Self.picture()))
        #expect(try finder.added(to: [Self.part(isTapped: true)], in: tapped).count == 1)
        let wall = try pictures.next(Pictures.frame(Pictures.picture(Self.width, Self.height) { x, y in Pictures.speckle(x / 4, y / 4) }, index: 30))
        #expect(try finder.added(to: [Self.part()], in: wall).count == 1)
    }
}

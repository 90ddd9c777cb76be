import CoreVideo
import Foundation
import Pipeline
import Testing
import Vision

@Suite("The object around a tapped point")
struct SalientTests {
    /// A speckled ball of 60 pixels on a plain wall, at `x`; nil is the wall alone.
    private func scene(_ x: Int?) -> (image: CVPixelBuffer, map: DisparityMap) {
        func isBall(_ px: Int, _ py: Int) -> Bool { x.map { (px - $0) * (px - $0) + (py - 100) * (py - 100) < 900 } ?? false }
        let image = Pictures.picture(
            320, 180, luma: { isBall($0, $1) ? 60 + Pictures.speckle(($0 - (x ?? 0)) / 6, $1 / 6) / 2 : 170 - $1 / 8 },
            chroma: { isBall($0, $1) ? (90, 190) : (128, 128) })
        return (image, Pictures.map(160, 90) { isBall(2 * $0, 2 * $1) ? 0.8 : 0.2 })
    }

    @Test("a ball in front of a wall is found, followed under one identity, and gone when it is gone")
    func ball() throws {
        let detector = try VisionDetector()
        var (image, map) = scene(120)
        let found = try #require(try detector.salientObject(at: CGPoint(x: 120.0 / 320, y: 100.0 / 180), in: Pictures.frame(image), disparity: map))
        #expect(found.kind == .salientObject)
        #expect(found.bounds.overlap(with: Pictures.box(90.0 / 320, 70.0 / 180, 60.0 / 320, 60.0 / 180)) > 0.7)
        #expect(abs((found.disparity ?? 0) - 0.8) < 0.01)
        for index in 1..<20 {
            (image, map) = scene(120 + 3 * index)
            let seen = try detector.detections(in: Pictures.frame(image, index: index), disparity: map).filter { $0.kind == .salientObject }
            #expect(seen.map(\.objectID) == [found.objectID])
            #expect(abs((seen.first?.bounds ?? .zero).midX - Double(120 + 3 * index) / 320) < 0.03)
        }
        (image, map) = scene(nil)
        var last: [Detection] = []
        for index in 20..<40 { last = try detector.detections(in: Pictures.frame(image, index: index), disparity: map) }
        #expect(last.isEmpty)
    }

    @Test("a thing that fills a good part of the picture is followed as well")
    func large() throws {
        let detector = try VisionDetector()
        func scene(_ x: Int) -> (image: CVPixelBuffer, map: DisparityMap) {
            func isThing(_ px: Int, _ py: Int) -> Bool { abs(px - x) < 120 && abs(py - 180) < 100 }
            let image = Pictures.picture(
                640, 360, luma: { isThing($0, $1) ? 60 + Pictures.speckle(($0 - x + 640) / 12, $1 / 12) / 2 : 170 - $1 / 16 },
                chroma: { isThing($0, $1) ? (90, 190) : (128, 128) })
            return (image, Pictures.map(160, 90) { isThing(4 * $0, 4 * $1) ? 0.8 : 0.2 })
        }
        var (image, map) = scene(220)
        let found = try #require(try detector.salientObject(at: CGPoint(x: 220.0 / 640, y: 0.5), in: Pictures.frame(image), disparity: map))
        for index in 1..<30 {
            (image, map) = scene(220 + 7 * index)
            let seen = try detector.detections(in: Pictures.frame(image, index: index), disparity: map).filter { $0.kind == .salientObject }
            #expect(seen.map(\.objectID) == [found.objectID])
            let thing = Pictures.box(Double(100 + 7 * index) / 640, 80.0 / 360, 240.0 / 640, 200.0 / 360)
            #expect((seen.first?.bounds ?? .zero).overlap(with: thing) > 0.8, "frame \(index)")
        }
    }

    @Test("a ball that rolls before a wall is offered within two seconds, one that lies is not")
    func moving() throws {
        func offered(step: Int) throws -> [Detection] {
            let detector = try VisionDetector()
            var seen: [Detection] = []
            for index in 0..<60 {
                // The wall is known before the ball comes.
                let (image, map) = scene(index < 5 ? nil : 60 + step * index)
                seen = try detector.detections(in: Pictures.frame(image, index: index), disparity: map)
            }
            return seen
        }
        let rolling = try offered(step: 2)
        let ball = try #require(rolling.first)
        #expect(rolling.map(\.kind) == [.salientObject] && ball.groupID == -1)
        #expect(ball.bounds.overlap(with: Pictures.box(148.0 / 320, 70.0 / 180, 60.0 / 320, 60.0 / 180)) > 0.6)
        #expect(try offered(step: 0).isEmpty)
    }

    @Test("nothing stands out of a plain wall")
    func wall() throws {
        let (image, map) = scene(nil)
        let detector = try VisionDetector()
        #expect(try detector.salientObject(at: CGPoint(x: 0.5, y: 0.5), in: Pictures.frame(image), disparity: map) == nil)
    }
}

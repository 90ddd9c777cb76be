import CoreVideo
import Foundation
import Pipeline
import Testing
import Vision

@Suite("A map enlarged to its picture")
struct EnlargerTests {
    private static let (width, height) = (160, 90)

    /// A round thing before a wall, lighter than it, both with some texture.
    private static func isThing(_ x: Int, _ y: Int) -> Bool { (x - 70) * (x - 70) + (y - 45) * (y - 45) < 30 * 30 }

    private static func frame(_ map: DisparityMap?, contrast: Int) -> Frame {
        let image = Pictures.picture(width, height) { x, y in
            (isThing(x, y) ? 90 + contrast : 90) + Pictures.speckle(x, y) / 16
        }
        var frame = Pictures.frame(image)
        frame.disparity = map
        return frame
    }

    /// Every second pixel of the exact map, the wall slanted.
    private static func small(noise: Double = 0) -> DisparityMap {
        Pictures.map(width / 2, height / 2) { x, y in
            truth(2 * x, 2 * y) + noise * (Double(Pictures.speckle(x, y + 500)) / 80 - 1.5)
        }
    }

    private static func truth(_ x: Int, _ y: Int) -> Double { isThing(x, y) ? 0.9 : 0.2 + 0.0005 * Double(x) }

    /// Shares of pixels on the wrong side, and of such between the two.
    private static func faults(_ map: DisparityMap) -> (wrong: Double, between: Double) {
        var (wrong, between) = (0, 0)
        for y in 0..<height {
            for x in 0..<width {
                let value = Double(map.row(y)[x])
                if abs(value - truth(x, y)) > 0.3 { wrong += 1 }
                if (0.4..<0.75).contains(value) { between += 1 }
            }
        }
        return (Double(wrong) / Double(width * height), Double(between) / Double(width * height))
    }

    @Test("has the edges of the picture, and nothing between two surfaces", arguments: [0, 0.01])
    func edges(noise: Double) throws {
        let map = try #require(try DisparityEnlarger().enlarge(Self.frame(Self.small(noise: noise), contrast: 60)).disparity)
        #expect((map.width, map.height) == (Self.width, Self.height))
        let faults = Self.faults(map)
        #expect(faults.wrong < 0.001, "\(faults)")
        #expect(faults.between == 0, "\(faults)")
    }

    @Test("has edges without ramps where the picture shows none, at most a pixel off")
    func unseen() throws {
        let map = try #require(try DisparityEnlarger().enlarge(Self.frame(Self.small(), contrast: 0)).disparity)
        let faults = Self.faults(map)
        #expect(faults.between < 0.002 && faults.wrong < 0.012, "\(faults)")
    }

    @Test("keeps flat and slanted surfaces as they are, and its confidence")
    func surfaces() throws {
        let confidence = CVPixelBuffer(width: 8, height: 8, pixelFormat: kCVPixelFormatType_OneComponent8)
        let slanted = Pictures.map(80, 45) { x, _ in 0.2 + 0.001 * Double(x) }
        let frame = Self.frame(DisparityMap(buffer: slanted.buffer, confidence: confidence, isMetric: true), contrast: 60)
        let map = try #require(try DisparityEnlarger().enlarge(frame).disparity)
        #expect(map.confidence === confidence && map.isMetric)
        for y in 0..<Self.height {
            for x in 2..<Self.width - 2 { #expect(abs(map.row(y)[x] - Float(0.2 + 0.001 * (Double(x) / 2 - 0.25))) < 0.002) }
        }
    }

    @Test("leaves a map of the picture's size, or none, alone")
    func nothing() throws {
        let whole = Pictures.map(Self.width, Self.height, Self.truth)
        #expect(try DisparityEnlarger().enlarge(Self.frame(whole, contrast: 60)).disparity?.buffer === whole.buffer)
        #expect(try DisparityEnlarger().enlarge(Self.frame(nil, contrast: 60)).disparity == nil)
        var narrow = DisparityEnlarger()
        narrow.width = 120
        let map = try #require(try narrow.enlarge(Self.frame(Self.small(), contrast: 60)).disparity)
        #expect((map.width, map.height) == (120, 67))
    }
}

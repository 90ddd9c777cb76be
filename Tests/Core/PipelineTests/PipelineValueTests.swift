import CoreVideo
import Foundation
import Pipeline
import Testing

@Suite("Disparity map")
struct DisparityMapTests {
    /// A map whose value at (x, y) is `value(x, y)`.
    private func map(_ width: Int, _ height: Int, _ value: (Int, Int) -> Float) -> DisparityMap {
        let map = DisparityMap(buffer: CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_DisparityFloat32))
        for y in 0..<height {
            for x in 0..<width { map.row(y)[x] = value(x, y) }
        }
        return map
    }

    @Test("a region's median ignores what is smaller than half of it")
    func median() {
        let map = map(100, 50) { x, _ in x < 60 ? 0.2 : 1 }
        #expect(map.median(in: CGRect(x: 0, y: 0, width: 1, height: 1)) == Double(Float(0.2)))
        #expect(map.median(in: CGRect(x: 0.5, y: 0, width: 0.5, height: 1)) == 1)
        #expect(map.median(in: CGRect(x: 0.2, y: 0.4, width: 0.1, height: 0.1)) == Double(Float(0.2)))
    }

    @Test("a point reads the pixel below it, the last one at the far edge")
    func point() {
        let map = map(4, 2) { x, y in Float(10 * y + x) }
        func at(_ x: Double, _ y: Double) -> Double? { map.median(in: CGRect(x: x, y: y, width: 0, height: 0)) }
        #expect(at(0, 0) == 0)
        #expect(at(0.3, 0.6) == 11)
        #expect(at(1, 1) == 13)
    }

    @Test("a region that misses the picture has no median; one that reaches over its edge has that of the part inside")
    func edges() {
        let map = map(10, 10) { x, _ in Float(x) }
        #expect(map.median(in: CGRect(x: 1.1, y: 0, width: 0.2, height: 1)) == nil)
        #expect(map.median(in: CGRect(x: -0.5, y: 0, width: 0.4, height: 1)) == nil)
        #expect(map.median(in: CGRect(x: -1, y: 0, width: 1.25, height: 1)) == 1)
        #expect(map.median(in: CGRect(x: 0.85, y: 0, width: 5, height: 1)) == 9)
        #expect(map.median(in: CGRect(x: -1e300, y: -1e300, width: 2e300, height: 2e300)) == 5)
        #expect(map.median(in: .null) == nil)
        #expect(map.median(in: CGRect(x: Double.nan, y: 0, width: 1, height: 1)) == nil)
    }
}

@Suite("Exposure and timings")
struct ExposureTests {
    /// Shutter, ISO, f-number and level of a picture, and the light it tells of (250 N² / (t · ISO)).
    @Test("a sensor's settings tell the light on the scene", arguments: [(1.0 / 60, 100.0, 1.8, 1.0, 486.0), (1.0 / 30, 1600, 1.8, 0.5, 7.59375)])
    func illuminance(_ duration: Double, _ iso: Double, _ fNumber: Double, _ level: Double, _ lux: Double) {
        #expect(abs(Exposure(duration: duration, iso: iso, fNumber: fNumber, level: level).illuminance - lux) < 1e-9)
    }

    @Test("timings add up per stage, in order of appearance")
    func timings() throws {
        let timings = Timings()
        timings.book("b", .milliseconds(3))
        timings.book("a", .milliseconds(1))
        timings.book("b", .milliseconds(4))
        #expect(timings.report.map(\.name) == ["b", "a"])
        let b = try #require(timings.report.first)
        #expect(b.count == 2)
        #expect(abs(b.seconds - 0.007) < 1e-12)
    }
}

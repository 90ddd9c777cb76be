import CoreVideo
import Foundation
import Testing

@testable import Vision

@Suite("Motion against the camera")
struct ResidualMotionTests {
    private static let (width, height) = (160, 90)

    /// A pattern that the camera passes by `pan` pixels a picture, and a patch of it that goes the other way where `hasPatch`.
    private static func luma(_ index: Int, pan: Int, hasPatch: Bool) throws -> Raster {
        let picture = Pictures.picture(width, height) { x, y in
            let isPatch = hasPatch && patch(index).contains(CGPoint(x: Double(x) + 0.5, y: Double(y) + 0.5))
            return isPatch ? 230 - Pictures.speckle((x - 3 * index) / 4, y / 4) / 2 : 50 + Pictures.speckle((x + pan * index) / 4, y / 4) / 3
        }
        return try Raster(lumaOf: picture, width: width, height: height)
    }

    private static func patch(_ index: Int) -> CGRect { CGRect(x: 50 + 3 * index, y: 30, width: 30, height: 30) }

    /// Evidence after five pictures at 25 per second.
    private static func evidence(pan: Int, hasPatch: Bool) throws -> SoftMask {
        var (motion, before) = (ResidualMotion(), Raster?.none)
        for index in 0..<5 {
            let luma = try luma(index, pan: pan, hasPatch: hasPatch)
            try motion.step(luma, at: Int64(index) * 40_000_000, flow: try before.map { try DenseFlow(from: luma, to: $0) })
            before = luma
        }
        return try #require(motion.evidence)
    }

    @Test("what goes its own way is told from the camera's motion", arguments: [0, 1])
    func patch(pan: Int) throws {
        let evidence = try Self.evidence(pan: pan, hasPatch: true)
        let patch = Self.patch(4)
        func mean(_ isCounted: (CGPoint) -> Bool) -> Float {
            var (sum, count): (Float, Float) = (0, 0)
            for y in 0..<Self.height {
                for x in 0..<Self.width where isCounted(CGPoint(x: Double(x) + 0.5, y: Double(y) + 0.5)) {
                    sum += evidence.values[y * Self.width + x]
                    count += 1
                }
            }
            return sum / count
        }
        #expect(mean { patch.insetBy(dx: 5, dy: 5).contains($0) } > 0.5)
        #expect(mean { !patch.insetBy(dx: -16, dy: -12).contains($0) } < 0.05)
    }

    @Test("a camera's own motion is no evidence, nor is a first picture", arguments: [0, 2])
    func pan(pan: Int) throws {
        #expect(try Self.evidence(pan: pan, hasPatch: false).area < 0.01)
        var motion = ResidualMotion()
        try motion.step(try Self.luma(0, pan: 0, hasPatch: true), at: 0, flow: nil)
        #expect(motion.evidence == nil)
    }

    @Test("a flow carries a mask with the picture")
    func carry() throws {
        var mask = SoftMask(width: Self.width, height: Self.height)
        for y in 0..<Self.height { for x in 0..<80 { mask.values[y * Self.width + x] = 1 } }
        let flow = try DenseFlow(from: Self.luma(1, pan: 4, hasPatch: false), to: Self.luma(0, pan: 4, hasPatch: false))
        let row = flow.carried(mask).values[45 * Self.width..<46 * Self.width]
        #expect(abs(row.reduce(0, +) - 76) < 1.5)
    }

    /// A plain wall with a dado, and a large thing that turns as it is lifted before it.
    private static func lifting(_ index: Int) throws -> Raster {
        let picture = Pictures.picture(width, height) { x, y in
            let (dx, dy) = (Double(x) - 70, Double(y) - 50 + 2.5 * Double(index))
            let angle = 0.05 * Double(index)
            let (u, v) = (dx * cos(angle) + dy * sin(angle), dy * cos(angle) - dx * sin(angle))
            if abs(u) < 34, abs(v) < 24 { return 30 + Pictures.speckle(Int(u + 80) / 4, Int(v + 80) / 4) / 2 }
            return y > 80 ? 60 + Pictures.speckle(x / 6, 7) / 3 : 200
        }
        return try Raster(lumaOf: picture, width: width, height: height)
    }

    @Test("a large thing before a plain wall does not draw the camera along")
    func plainWall() throws {
        let (before, now) = (try Self.lifting(1), try Self.lifting(4))
        let flow = try DenseFlow(from: now, to: before)
        let nothing = SoftMask(width: Self.width, height: Self.height)
        #expect(flow.ofCamera(from: now, to: before, known: nothing).reachOfCorners < 0.1)
        #expect(flow.residualMotion(from: now, to: before, known: nothing).area > 0.08)
    }
}

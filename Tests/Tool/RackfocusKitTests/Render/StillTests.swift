import CoreVideo
import Foundation
import Media
import Pipeline
import TestSupport
import Testing

@testable import RackfocusKit

@Suite("A still through the lens")
struct StillTests {
    /// A picture whose bytes tell where they are, and its map: nearer at the left.
    private func write(
        width: Int, height: Int, in scratch: Scratch, map: (width: Int, height: Int), noise: (Int, Int) -> Float = { _, _ in 0 }
    ) throws {
        let picture = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_32BGRA)
        for y in 0..<height {
            let row: UnsafeMutablePointer<UInt8> = picture.plane(0).row(y)
            for x in 0..<width { for (c, value) in [x * 5, y * 7, (x ^ y) * 3, 255].enumerated() { row[4 * x + c] = UInt8(value & 255) } }
        }
        let disparity = CVPixelBuffer(width: map.width, height: map.height, pixelFormat: kCVPixelFormatType_DisparityFloat32)
        for y in 0..<map.height {
            for x in 0..<map.width { disparity.plane(0).row(y, as: Float.self)[x] = (x < map.width / 2 ? 0.75 : 0.25) + noise(x, y) }
        }
        try PictureFile.writePNG(picture, to: scratch("image.png"))
        try PictureFile.writePNG(DisparityMap(buffer: disparity), range: 0...1, to: scratch("map.png"))
    }

    private func still(_ scratch: Scratch, blurScale: Double) -> StillJob {
        StillJob(
            image: scratch("image.png"), disparity: scratch("map.png"), focusDisparity: 0.75, blurScale: blurScale,
            lens: BokehOptions(highlights: 0),
            output: scratch("out.png"), gpu: nil, replacesExisting: false)
    }

    @Test("of any size, odd too, comes out at its size; an aperture wide shut changes no bit", arguments: [(32, 18), (33, 18), (33, 19), (1, 1)])
    func sizes(width: Int, height: Int) throws {
        let scratch = try Scratch()
        try write(width: width, height: height, in: scratch, map: (width, height))
        try still(scratch, blurScale: 0).run()
        let (before, after) = (try PictureFile.read(scratch("image.png")), try PictureFile.read(scratch("out.png")))
        #expect(after.size == (width, height))
        for y in 0..<height {
            let rows = (before.plane(0).row(y, as: UInt32.self), after.plane(0).row(y, as: UInt32.self))
            #expect((0..<width).allSatisfy { rows.0[$0] == rows.1[$0] })
        }
    }

    @Test("blurs what is not at the focus disparity and nothing else")
    func blur() throws {
        let scratch = try Scratch()
        try write(width: 65, height: 37, in: scratch, map: (65, 37))
        try still(scratch, blurScale: 16).run()
        let (before, after) = (try PictureFile.read(scratch("image.png")), try PictureFile.read(scratch("out.png")))
        func changed(_ columns: Range<Int>) -> Int {
            let rows = (before.plane(0).row(18, as: UInt32.self), after.plane(0).row(18, as: UInt32.self))
            return columns.count { rows.0[$0] != rows.1[$0] }
        }
        #expect(changed(0..<20) == 0)
        #expect(changed(45..<65) > 15)
    }

    @Test("measured with noise is in focus all the same where it is in focus")
    func noise() throws {
        let scratch = try Scratch()
        try write(width: 64, height: 36, in: scratch, map: (64, 36)) { x, y in Float((x * 37 + y * 101 + x * y * 13) % 41 - 20) * 0.0015 }
        try still(scratch, blurScale: 64).run()
        let (before, after) = (try PictureFile.read(scratch("image.png")), try PictureFile.read(scratch("out.png")))
        for y in 6..<30 {
            let rows = (before.plane(0).row(y, as: UInt32.self), after.plane(0).row(y, as: UInt32.self))
            #expect((2..<20).count { rows.0[$0] != rows.1[$0] } == 0, "row \(y)")
        }
    }

    @Test("refuses a map of another aspect, by name")
    func aspect() throws {
        let scratch = try Scratch()
        try write(width: 32, height: 18, in: scratch, map: (18, 18))
        let error = #expect(throws: MediaError.self) { try still(scratch, blurScale: 9).run() }
        #expect(error?.description == "\(scratch("map.png")): is 18x18, which has not the aspect of \(scratch("image.png")) (32x18)")
    }
}

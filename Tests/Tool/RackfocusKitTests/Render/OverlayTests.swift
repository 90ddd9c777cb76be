import CoreMedia
import CoreVideo
import Foundation
import Optics
import Pipeline
import Testing

@testable import RackfocusKit

@Suite("Overlay")
struct OverlayTests {
    /// Dark picture with the line of a frame that is too dark, focus held at a distance.
    private func drawn(width: Int, height: Int) throws -> CVPixelBuffer {
        let picture = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        for y in 0..<height { picture.plane(0).row(y, as: UInt8.self).update(repeating: 16, count: width) }
        for y in 0..<height / 2 { picture.plane(1).row(y, as: UInt8.self).update(repeating: 128, count: width) }
        var sample = CinematicSample(
            lens: Lens(focalLength: 50, fNumber: 2.8), sensorWidth: 1920, disparity: DisparityCoding(scale: 0x1p-16, isMetric: true),
            focus: FocusState(focusDisparity: 1, subject: 1, mode: .strong))
        sample.detections = [Detection(objectID: 1, kind: .face, bounds: CGRect(x: 0.4, y: 0.1, width: 0.2, height: 0.1), disparity: 1)]
        sample.notEnoughLight = true
        try Overlay().draw(sample, at: CMTime(value: 5, timescale: 3), on: picture)
        return picture
    }

    @Test(
        "the line of time, f-number and status lies in the picture, whatever its shape",
        arguments: [(640, 360), (360, 640), (180, 640), (360, 360)])
    func line(width: Int, height: Int) throws {
        let picture = try drawn(width: width, height: height)
        let rows = height * 3 / 4..<height
        let lit = (0..<width).filter { x in rows.contains { picture.plane(0).row($0, as: UInt8.self)[x] > 60 } }
        let margin = min(width, height) * 8 / 390
        let (first, last) = (try #require(lit.first), try #require(lit.last))
        #expect(first >= margin && last < width - margin && last - first > width / 3, "\(first) to \(last)")
    }
}

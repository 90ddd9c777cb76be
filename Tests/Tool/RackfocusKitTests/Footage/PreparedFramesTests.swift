import CoreMedia
import CoreVideo
import Pipeline
import Support
import Testing
import Vision

@testable import RackfocusKit

@Suite("Frames prepared by one pass for the one behind it")
struct PreparedFramesTests {
    /// A textured square that moves over grain.
    private final class Square: FrameSource {
        let description = SourceDescription(width: 160, height: 90, frameDuration: CMTime(value: 1, timescale: 30), frameCount: 8)
        private nonisolated(unsafe) var next = 0

        func nextFrame() -> Frame? {
            guard next < 8 else { return nil }
            defer { next += 1 }
            let image = CVPixelBuffer(width: 160, height: 90, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
            for plane in 0..<2 {
                let plane = image.plane(plane)
                for y in 0..<plane.height {
                    let row = plane.row(y, as: UInt8.self)
                    for x in 0..<160 {
                        let left = 40 + 3 * next
                        let isInside = x >= left && x < left + 50 && y >= 20 && y < 70
                        let code: Int = isInside ? 150 + ((x - left) * 53 + y * 29) % 90 : 60 + (x * 37 + y * 91) % 50
                        row[x] = UInt8(code)
                    }
                }
            }
            return Frame(index: next, presentationTime: CMTime(value: CMTimeValue(next), timescale: 30), image: image)
        }
    }

    /// An estimator that looks at the picture again.
    private final class Looking: MonocularEstimator {
        func disparity(of frame: Frame, detections: [Detection]) -> DisparityMap { .flat }
    }

    private static func rows(_ map: DisparityMap) -> [[Float]] {
        let plane = map.buffer.plane(0)
        return (0..<plane.height).map { Array(UnsafeBufferPointer(start: plane.row($0, as: Float.self), count: plane.width)) }
    }

    @Test("depth is guessed of what was prepared as of the pictures themselves")
    func maps() throws {
        let itself = try MonocularDepthEstimator()
        let source = Square()
        let prepared = try #require(PreparedFrames(try MonocularDepthEstimator(), of: source.description))
        let ahead = prepared.preparing(source, timings: Timings(isOn: false))
        var frames: [Frame] = []
        while let frame = try ahead.nextFrame() { frames.append(frame) }
        let depth = prepared.depth
        for frame in frames {
            let outline = try #require(prepared.nextFrame())
            #expect(outline.index == frame.index && outline.presentationTime == frame.presentationTime)
            #expect(outline.image !== frame.image && outline.image.size == frame.image.size)
            try depth.prepare(outline)
            let maps = (try depth.disparity(of: outline, detections: []), try itself.disparity(of: frame, detections: []))
            #expect(Self.rows(maps.0) == Self.rows(maps.1), "frame \(frame.index)")
        }
        #expect(frames.count == 8 && prepared.nextFrame() == nil)
    }

    @Test("an estimator that looks at pictures again gets them")
    func looking() { #expect(PreparedFrames(Looking(), of: Square().description) == nil) }
}

import CoreMedia
import CoreVideo
import Pipeline
import Synchronization

/// Frames of a live take without their pictures: times, light and distances as its log has them, all that its decisions came from.
final class LoggedFrames: FrameSource {
    /// Sides of the disparity maps: what is asked of them is the ambient disparity and that of single points.
    private static let (width, height) = (256, 144)

    let description: SourceDescription
    private let entries: [DetectionLog.Entry]
    private let picture: CVPixelBuffer
    private let maps = CVPixelBufferPool(width: width, height: height, pixelFormat: kCVPixelFormatType_DisparityFloat32)
    private let next = Mutex(0)

    init(_ log: DetectionLog) {
        let header = log.header
        description = SourceDescription(
            width: header.width, height: header.height,
            frameDuration: CMTime(value: Int64(header.frameDuration[0]), timescale: Int32(header.frameDuration[1])), frameCount: log.entries.count)
        entries = log.entries.filter { $0.capture?.isUndecided != true }
        picture = CVPixelBufferPool(
            width: header.width, height: header.height, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        ).makeBuffer()
    }

    func nextFrame() throws -> Frame? {
        let index = next.withLock { next in
            defer { next += 1 }
            return next
        }
        return entries.indices.contains(index) ? frame(of: entries[index]) : nil
    }

    /// Frame of an entry.
    func frame(of entry: DetectionLog.Entry) -> Frame {
        var frame = Frame(
            index: entry.frame, presentationTime: CMTime(value: entry.time, timescale: 1_000_000_000), image: picture,
            disparity: entry.capture.map(map))
        frame.shot = entry.shot
        frame.meteredIlluminance = entry.capture?.light
        frame.degradation = entry.capture?.degradation ?? .none
        return frame
    }

    /// Map of the ambient disparity, but for the points that the app asked about.
    private func map(of capture: DetectionLog.Capture) -> DisparityMap {
        let buffer = maps.makeBuffer()
        let ambient = capture.ambient.map { Float($0) } ?? .nan
        for y in 0..<Self.height { buffer.plane(0).row(y, as: Float.self).update(repeating: ambient, count: Self.width) }
        for point in capture.points ?? [] {
            func place(_ share: Double, _ count: Int) -> Int { Int(min(max(share, 0) * Double(count), Double(count - 1))) }
            buffer.plane(0).row(place(point.at.y, Self.height), as: Float.self)[place(point.at.x, Self.width)] = Float(point.disparity)
        }
        return DisparityMap(buffer: buffer, isMetric: capture.isMetric ?? false)
    }
}

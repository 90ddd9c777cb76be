import CoreVideo
import Pipeline
import Synchronization
import Vision

/// Footage whose light is judged from its pictures, a few times a second, where the source does not know it.
final class MeteredSource: FrameSource {
    private static let interval = 4

    private let source: any FrameSource
    private let last = Mutex((illuminance: Double?.none, picture: CVPixelBuffer?.none))
    var description: SourceDescription { source.description }
    var remarks: [String] { source.remarks }

    init(_ source: any FrameSource) { self.source = source }

    func nextFrame() throws -> Frame? {
        guard var frame = try source.nextFrame() else { return nil }
        guard frame.exposure == nil else { return frame }
        let image = frame.image
        frame.meteredIlluminance = try last.withLock { last in
            guard frame.index % Self.interval == 0 else { return last.illuminance }
            last = (try LightMeter().illuminance(of: image, after: last.picture) ?? last.illuminance, image)
            return last.illuminance
        }
        return frame
    }
}

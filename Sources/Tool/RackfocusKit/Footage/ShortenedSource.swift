import CoreMedia
import Pipeline
import Synchronization

/// The frames of a source that end before a time, when a scenario's `length` is shorter than its footage.
final class ShortenedSource: FrameSource {
    let description: SourceDescription
    var remarks: [String] { source.remarks }
    private let source: any FrameSource
    private let length: Int64
    private let isOver = Mutex(false)

    /// `length`: nanoseconds.
    init(_ source: any FrameSource, length: Int64) {
        self.source = source
        self.length = length
        var description = source.description
        let frames = Int(length / max(description.frameDuration.nanoseconds, 1))
        description.frameCount = min(frames, description.frameCount ?? frames)
        description.end = nil
        self.description = description
    }

    func nextFrame() throws -> Frame? {
        guard !isOver.withLock({ $0 }) else { return nil }
        let frame = try source.nextFrame().flatMap { ($0.presentationTime + description.frameDuration).nanoseconds <= length ? $0 : nil }
        if frame == nil { isOver.withLock { $0 = true } }
        return frame
    }
}

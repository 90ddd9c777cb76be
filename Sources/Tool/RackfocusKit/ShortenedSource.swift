import Pipeline
import Synchronization

/// The first frames of a source, when a scenario's `length` is shorter than its footage.
final class ShortenedSource: FrameSource {
    let description: SourceDescription
    private let source: any FrameSource
    private let left: Mutex<Int>

    init(_ source: any FrameSource, frames: Int) {
        self.source = source
        var description = source.description
        description.frameCount = min(frames, description.frameCount ?? frames)
        self.description = description
        left = Mutex(frames)
    }

    func nextFrame() throws -> Frame? {
        let mayGo = left.withLock { left in
            left -= 1
            return left >= 0
        }
        return mayGo ? try source.nextFrame() : nil
    }
}

import Pipeline
import Synchronization
import Vision

/// Footage whose frames know which shot they belong to, from the pictures; a few frames are read ahead.
final class ShotSource: FrameSource {
    private let source: any FrameSource
    private let state = Mutex(State())
    var description: SourceDescription { source.description }
    var remarks: [String] { source.remarks }

    private struct State {
        var detector = ShotDetector()
        var shot = 0
        var read: [(frame: Frame, layout: PictureLayout)] = []
        var isAtEnd = false
    }

    init(_ source: any FrameSource) { self.source = source }

    func nextFrame() throws -> Frame? {
        try state.withLock { state in
            while !state.isAtEnd, state.read.count <= ShotDetector.lookAhead {
                guard let frame = try source.nextFrame() else {
                    state.isAtEnd = true
                    break
                }
                state.read.append((frame, try PictureLayout(of: frame.image)))
            }
            guard !state.read.isEmpty else { return nil }
            var (frame, layout) = state.read.removeFirst()
            if state.detector.beginsShot(layout, next: state.read.map(\.layout)) { state.shot += 1 }
            frame.shot = state.shot
            return frame
        }
    }
}

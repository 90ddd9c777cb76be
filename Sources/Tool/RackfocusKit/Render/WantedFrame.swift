import CoreMedia
import Pipeline
import Synchronization

/// The one frame of a run that is rendered: the first that reaches a point of the footage.
final class WantedFrame: Sendable {
    private let point: FootageSpan.Point
    private let source: SourceDescription
    /// Time of the frame; nil until it is there.
    private let time = Mutex<CMTime?>(nil)

    init(_ point: FootageSpan.Point, of source: SourceDescription) { (self.point, self.source) = (point, source) }

    /// Whether it is this frame; frames are asked about in order.
    func isThis(_ frame: Frame) -> Bool {
        time.withLock { time in
            if time == nil, point.isReached(by: frame, of: source) == true { time = frame.presentationTime }
            return time == frame.presentationTime
        }
    }

    /// Whether it has this time.
    func isAt(_ presentationTime: CMTime) -> Bool { time.withLock { $0 == presentationTime } }
}

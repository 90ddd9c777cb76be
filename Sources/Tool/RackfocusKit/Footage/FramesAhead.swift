import AVFoundation
import Foundation
import Pipeline
import Support
import Synchronization

/// Read-ahead of a source's frames with their disparity: one thread decodes, another measures, so that neither waits for work the other has done. The
/// result is the same as without.
final class FramesAhead: Sendable {
    private let decoded = Channel<Frame>(capacity: 2)
    private let measured = Channel<Frame>(capacity: 2)
    private let ended = DispatchGroup()

    /// `estimator` measures the frames that bring no disparity; nil leaves them so. Live, no frame is measured before a camera would
    /// give it, and decoding, which a camera does not need, gives way.
    init(_ source: any FrameSource, estimator: (any DisparityEstimator)?, timings: Timings, isLive: Bool) {
        fill(decoded, on: "rackfocus decode", givingWay: isLive) { try timings.measure("decode") { try source.nextFrame() } }
        let pace = Mutex(WallPace())
        fill(measured, on: "rackfocus disparity") { [decoded] in
            guard var frame = try decoded.next() else { return nil }
            if isLive {
                let due = pace.withLock { $0.date(of: frame.presentationTime, since: frame.presentationTime) }
                Thread.sleep(until: due)
                frame.dueDate = due
            }
            if frame.disparity == nil, let estimator {
                frame.disparity = try timings.measure("disparity") { try estimator.disparity(of: frame) }
            }
            return frame
        }
    }

    private func fill(
        _ channel: Channel<Frame>, on name: String, givingWay: Bool = false, with next: @escaping @Sendable () throws -> Frame?
    ) {
        let thread = Thread { [ended] in
            defer { ended.leave() }
            if givingWay { Thread.giveWay() }
            do {
                while let frame = try next() { guard channel.send(frame) else { return } }
                channel.finish()
            } catch {
                channel.finish(error)
            }
        }
        thread.name = name
        ended.enter()
        thread.start()
    }

    /// The next frame; nil at the end.
    func next() throws -> Frame? { try measured.next() }

    /// Lets go of the source; needed before it may be used again.
    func close() {
        decoded.close()
        measured.close()
        ended.wait()
    }
}

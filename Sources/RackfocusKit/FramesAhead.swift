import AVFoundation
import Foundation
import Pipeline

/// Frames of a source with their disparity, read and measured on a thread of its own, a few frames ahead of whoever looks at them: one core
/// decodes and matches while another searches. What comes out is the same as without.
final class FramesAhead: Sendable {
    private let frames = Channel<Frame>(capacity: 2)
    private let ended = DispatchGroup()

    /// `estimator` measures the frames that bring no disparity; nil leaves them so.
    init(_ source: any FrameSource, estimator: (any DisparityEstimator)?, timings: Timings) {
        let thread = Thread { [frames, ended] in
            defer { ended.leave() }
            do {
                while var frame = try timings.measure("decode", { try source.nextFrame() }) {
                    if frame.disparity == nil, let estimator {
                        frame.disparity = try timings.measure("disparity") { try estimator.disparity(of: frame) }
                    }
                    guard frames.send(frame) else { return }
                }
                frames.finish()
            } catch {
                frames.finish(error)
            }
        }
        thread.name = "rackfocus frames"
        ended.enter()
        thread.start()
    }

    /// The next frame; nil at the end.
    func next() throws -> Frame? { try frames.next() }

    /// Lets go of the source; needed before it may be used again.
    func close() {
        frames.close()
        ended.wait()
    }
}

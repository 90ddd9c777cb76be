import CoreMedia
import Foundation
import Pipeline
import Synchronization

/// Source of a rectified stereo pair: two files of the same size and rate, matched by time; times are the left one's.
public final class StereoFileSource: FrameSource {
    /// Size, rate and length of the left file.
    public let description: SourceDescription
    private let left: VideoFileSource
    private let right: VideoFileSource
    private let state: Mutex<State>

    private struct State {
        var pair: ClipPair<Frame>
        /// Number of the next frame that has both eyes.
        var number: Int?
    }

    /// Opens both files; throws `MediaError`, also where their sizes, rates or known lengths differ.
    ///
    /// - Parameters:
    ///   - pictureDuration: time of one picture of an image sequence; a video brings its own.
    ///   - reading: choices; the coding is kept of the left picture.
    public init(
        left: String, right: String, pictureDuration: CMTime = CMTime(value: 1, timescale: 30), reading: FootageReading = FootageReading()
    ) throws(MediaError) {
        // Both files are decoded in parallel already: more threads would only compete.
        self.left = try VideoFileSource(path: left, pictureDuration: pictureDuration, threads: 1, reading: reading)
        self.right = try VideoFileSource(
            path: right, pictureDuration: pictureDuration, threads: 1, reading: FootageReading(toneMaps: reading.toneMaps))
        description = self.left.description
        if let start = self.left.start { try self.right.seek(to: start - description.halfFrame) }
        state = Mutex(
            State(
                pair: try ClipPair(
                    self.left.side, self.right.side, areEyes: true, isBeginning: reading.span.to != nil, isSought: self.left.start != nil)))
    }

    /// Frames of either clip left out, or paired with one that another had, and why.
    public var remarks: [String] { left.remarks + right.remarks + state.withLock { $0.pair.remarks } }

    /// Reads the next pair, both files in parallel; nil at the end of both, throws `MediaError` where one ends early.
    public func nextFrame() throws -> Frame? {
        try state.withLock { state in
            while true {
                guard var frame = try readBoth(&state.pair) else {
                    if !left.hasReachedEnd { try state.pair.finish { try nextRight() } }
                    return nil
                }
                guard let second = try state.pair.partner(at: frame.presentationTime, next: { try nextRight() }) else { continue }
                (frame.index, frame.rightImage) = (state.number ?? left.firstNumber(frame), second.image)
                state.number = frame.index + 1
                return frame
            }
        }
    }

    private func nextRight() throws -> ClipPair<Frame>.Timed? { try right.nextFrame().map { ($0, $0.presentationTime) } }

    /// Reads the left file's next frame, and beside it the right one's where that will be wanted.
    private func readBoth(_ pair: inout ClipPair<Frame>) throws -> Frame? {
        guard pair.wantsNext else { return try left.nextFrame() }
        nonisolated(unsafe) var other = Result<Frame?, any Error>.success(nil)
        let beside = DispatchGroup()
        beside.enter()
        // A thread of its own, which inherits the caller's priority.
        Thread.detachNewThread { [right] in
            other = Result { try right.nextFrame() }
            beside.leave()
        }
        let own = Result { try left.nextFrame() }
        beside.wait()
        let (frame, second) = (try own.get(), try other.get())
        pair.take(second.map { ($0, $0.presentationTime) })
        return frame
    }
}

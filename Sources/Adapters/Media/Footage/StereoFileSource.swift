import CoreMedia
import Foundation
import Pipeline
import Support
import Synchronization

/// Source of a rectified stereo pair: two files of the same size and rate, matched by time; times are the left one's.
public final class StereoFileSource: FrameSource {
    /// Size, rate and length of the left file.
    public let description: SourceDescription
    private let left: VideoFileSource
    private let right: VideoFileSource
    private let notes: PairNotes
    private let state: Mutex<State>

    private struct State {
        var pair: ClipPair<Frame>
        /// Number of the next frame that has both eyes.
        var number: Int?
        /// Whether pairs come by the notes, without their right pictures; nil before the first.
        var isNoted: Bool?
    }

    /// Opens both files; throws `MediaError`, also where their sizes, rates or known lengths differ.
    ///
    /// - Parameters:
    ///   - pictureDuration: time of one picture of an image sequence; a video brings its own.
    ///   - reading: choices; the coding is kept of the left picture.
    ///   - notes: which left pictures have a partner, for others who read the pair, or by them.
    public init(
        left: String, right: String, pictureDuration: CMTime = CMTime(value: 1, timescale: 30), reading: FootageReading = FootageReading(),
        notes: PairNotes = PairNotes()
    ) throws(MediaError) {
        self.notes = notes
        let threads = VideoDecoder.threads(beside: 2)
        self.left = try VideoFileSource(path: left, pictureDuration: pictureDuration, threads: threads, reading: reading)
        self.right = try VideoFileSource(
            path: right, pictureDuration: pictureDuration, threads: threads, reading: FootageReading(toneMaps: reading.toneMaps))
        description = self.left.description
        if let start = self.left.start { try self.right.seek(to: start - description.halfFrame) }
        state = Mutex(
            State(
                pair: try ClipPair(
                    self.left.side, self.right.side, areEyes: true, isBeginning: reading.span.to != nil, isSought: self.left.start != nil)))
    }

    /// Frames of either clip left out, or paired with one that another had, and why.
    public var remarks: [String] { left.remarks + state.withLock { $0.isNoted == true ? notes.remarks : right.remarks + $0.pair.remarks } }

    /// Reads the next pair, both files in parallel; nil at the end of both, throws `MediaError` where one ends early. Behind another reader, whose
    /// notes it follows, it reads the left picture alone.
    public func nextFrame() throws -> Frame? {
        try state.withLock { state in
            let isNoted = state.isNoted ?? notes.isFollowed
            state.isNoted = isNoted
            if isNoted { return try nextNoted() }
            let pair = try nextPair(&state)
            if let pair { notes.add(pair) }
            notes.note(right.remarks + state.pair.remarks)
            return pair
        }
    }

    private func nextPair(_ state: inout State) throws -> Frame? {
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

    private func nextNoted() throws -> Frame? {
        while var frame = try left.nextFrame() {
            guard let index = notes.index(of: frame) else { continue }
            frame.index = index
            return frame
        }
        return nil
    }

    private func nextRight() throws -> ClipPair<Frame>.Timed? { try right.nextFrame().map { ($0, $0.presentationTime) } }

    /// Reads the left file's next frame, and beside it the right one's where that will be wanted.
    private func readBoth(_ pair: inout ClipPair<Frame>) throws -> Frame? {
        guard pair.wantsNext else { return try left.nextFrame() }
        nonisolated(unsafe) var other = Result<Frame?, any Error>.success(nil)
        let beside = DispatchGroup()
        beside.enter()
        // A thread of its own, which inherits the caller's priority.
        Thread.detach(named: "right eye") { [right] in
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

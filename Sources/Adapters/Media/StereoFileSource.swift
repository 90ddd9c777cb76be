import CoreMedia
import Foundation
import Pipeline

/// Source of a rectified stereo pair: two files of the same size, rate and length; times are the left one's.
public final class StereoFileSource: FrameSource {
    /// Size, rate and length of the left file.
    public let description: SourceDescription
    private let left: VideoFileSource
    private let right: VideoFileSource

    /// Opens both files; throws `MediaError`, also where their sizes, rates or known lengths differ.
    ///
    /// - Parameter pictureDuration: time of one picture of an image sequence; a video brings its own.
    public init(left: String, right: String, pictureDuration: CMTime = CMTime(value: 1, timescale: 30)) throws(MediaError) {
        // Both files are decoded in parallel already: more threads would only compete.
        self.left = try VideoFileSource(path: left, pictureDuration: pictureDuration, threads: 1)
        self.right = try VideoFileSource(path: right, pictureDuration: pictureDuration, threads: 1)
        description = self.left.description
        try ClipPair(self.left, self.right).check(sizesMatch: true)
    }

    /// Reads the next pair, both files in parallel; nil at the end of both, throws `MediaError` where one ends early.
    public func nextFrame() throws -> Frame? {
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
        guard var frame, let second else {
            try ClipPair(left, right).checkEnd(first: frame?.index, second: second?.index)
            return nil
        }
        frame.rightImage = second.image
        return frame
    }
}

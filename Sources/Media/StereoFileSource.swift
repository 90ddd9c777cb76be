import CoreMedia
import Foundation
import Pipeline

/// The frames of a rectified stereo pair: two files of the same size, rate and length; times are the left one's.
public final class StereoFileSource: FrameSource {
    public let description: SourceDescription
    private let left: VideoFileSource
    private let right: VideoFileSource

    /// - Parameter pictureDuration: time of one picture of an image sequence; a video brings its own.
    public init(left: String, right: String, pictureDuration: CMTime = CMTime(value: 1, timescale: 30)) throws(MediaError) {
        self.left = try VideoFileSource(path: left, pictureDuration: pictureDuration)
        self.right = try VideoFileSource(path: right, pictureDuration: pictureDuration)
        description = self.left.description
        try ClipPair(self.left, self.right).check(sizesMatch: true)
    }

    public func nextFrame() throws -> Frame? {
        let (frame, second) = (try left.nextFrame(), try right.nextFrame())
        guard var frame, let second else {
            try ClipPair(left, right).checkEnd(first: frame?.index, second: second?.index)
            return nil
        }
        frame.rightImage = second.image
        return frame
    }
}

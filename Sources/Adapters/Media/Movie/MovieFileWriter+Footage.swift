import CoreMedia
import Pipeline

extension MovieFileWriter {
    /// Treatment of ambisonic tracks of the footage.
    public enum Ambisonics: Sendable, Equatable {
        /// They are copied, or left out where the container has no place for them.
        case kept
        /// They become stereo, or are left out where a stereo track goes with them.
        case stereo
        /// They become stereo, mixed by direction; a stereo track that goes with them is left out.
        case mixed(SpatialMix)
    }

    /// File whose pictures a movie shows, from a time on.
    public struct Footage: Sendable {
        /// Path of the file.
        public var path: String
        /// Time of the movie's first picture after the file's.
        public var start: CMTime
        /// Timecode of the movie's first picture; nil for the file's own.
        public var timecode: String?
        /// Length of the part that the movie shows, at which its chapters end; nil for all of the rest.
        public var length: CMTime?
        /// Treatment of ambisonic tracks.
        public var ambisonics = Ambisonics.kept

        /// Creates a reference to a file.
        public init(path: String, start: CMTime = .zero, timecode: String? = nil, length: CMTime? = nil) {
            (self.path, self.start, self.timecode, self.length) = (path, start, timecode, length)
        }
    }
}

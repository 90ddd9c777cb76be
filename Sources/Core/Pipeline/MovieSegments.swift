import CoreMedia
import Foundation
import Synchronization

/// Receiver of a movie in segments, in place of a file: first its index, then parts that begin with a key frame and are played one after the other.
public final class MovieSegments: Sendable, Equatable {
    /// Part of the movie.
    public struct Segment: Sendable {
        /// Media of one track in a part.
        public struct Track: Sendable, Equatable {
            /// Number of the track in the movie, from 1.
            public let number: Int
            /// Time at which the first sample is shown.
            public let start: CMTime
            /// Length of the samples together.
            public let duration: CMTime

            /// Creates the media of a track.
            public init(number: Int, start: CMTime, duration: CMTime) { (self.number, self.start, self.duration) = (number, start, duration) }
        }

        /// Boxes of the part.
        public let data: Data
        /// Media of the part by track; empty for the index.
        public let tracks: [Track]

        /// Creates a part; one without tracks is the index.
        public init(data: Data, tracks: [Track]) { (self.data, self.tracks) = (data, tracks) }
    }

    /// Time after which a part ends with the next key frame; not numeric: parts end after `cut()` alone.
    public let interval: CMTime
    private let take: @Sendable (Segment) -> Void
    private let next: Mutex<(time: CMTime, isCut: Bool)>

    /// Creates a receiver.
    public init(every interval: CMTime, take: @escaping @Sendable (Segment) -> Void) {
        self.interval = interval
        self.take = take
        next = Mutex((interval.isNumeric ? interval : .positiveInfinity, false))
    }

    /// Lets the part under way end with the next key frame.
    public func cut() { next.withLock { $0.isCut = true } }

    /// Whether the part under way ends ahead of a key frame at a time; the next one then begins.
    public func ends(at time: CMTime) -> Bool {
        next.withLock { next in
            guard next.isCut || time >= next.time else { return false }
            next.isCut = false
            while next.time <= time { next.time = next.time + interval }
            return true
        }
    }

    /// Hands a part over.
    public func hand(_ segment: Segment) { take(segment) }

    /// Whether both are the same.
    public static func == (one: MovieSegments, other: MovieSegments) -> Bool { one === other }
}

import CoreMedia
import Pipeline
import Synchronization

extension DrawnMovie {
    /// Draws those samples of a track that are shown or heard in a range.
    final class Reader: MovieTrackReader {
        private let count = Mutex(0)
        private let (track, length, range): (CMTimeRange, CMTime, CMTimeRange)
        private let draw: @Sendable (Int) throws -> MovieSample.Content

        init(_ track: CMTimeRange, _ length: CMTime, _ range: CMTimeRange, _ draw: @escaping @Sendable (Int) throws -> MovieSample.Content) {
            (self.track, self.length, self.range, self.draw) = (track, length, range, draw)
        }

        func next() throws -> MovieSample? {
            while true {
                let number = count.withLock { count in
                    count += 1
                    return count - 1
                }
                let time = track.start + CMTimeMultiply(length, multiplier: Int32(number))
                guard time < min(range.end, track.end) else { return nil }
                guard time + length > range.start else { continue }
                let content = try draw(number)
                guard case .sound(var sound) = content else { return MovieSample(time: time, duration: length, content: content) }
                sound.presentationTime = time
                sound = sound.cut(from: range.start, to: range.end)
                return MovieSample(time: sound.presentationTime, duration: sound.duration, content: .sound(sound))
            }
        }
    }
}

import CoreMedia
import Foundation
import Pipeline

/// Samples of a track of timed metadata, on the time of the movie, until the file takes them: each holds until the next where it does not say how long.
package struct MetadataSamples {
    private var waiting: [MovieSample] = []
    private var last: MovieSample?

    /// Ticks per second: frames of all usual rates are whole numbers of them.
    package static let timescale: CMTimeScale = 360_000
    /// Length of a last sample that says none.
    private static let usualDuration = CMTime(value: 1, timescale: 30)

    package init() {}

    /// Has a track begin without metadata at once, as a file in fragments wants; those of the first tick come a tick later.
    mutating func begin() {
        let tick = CMTime(value: 1, timescale: Self.timescale)
        waiting = [Self.nothing(from: .zero, to: tick)]
        last = Self.nothing(from: tick, to: .invalid)
    }

    /// Takes a sample, not before the last one; where metadata hold for less than up to the next, and ahead of the first, there is a sample without any.
    package mutating func append(_ sample: MovieSample) {
        var sample = sample
        if sample.time < .zero {
            guard !sample.duration.isNumeric || sample.end > .zero else { return }
            if sample.duration.isNumeric { sample.duration = sample.end }
            sample.time = .zero
        }
        if var last {
            sample.time = max(sample.time, last.time)
            let isShort = last.duration.isNumeric && last.end < sample.time
            if !isShort { last.duration = sample.time - last.time }
            if last.duration > .zero { waiting.append(last) }
            if isShort { waiting.append(Self.nothing(from: last.end, to: sample.time)) }
        } else if sample.time > .zero {
            waiting.append(Self.nothing(from: .zero, to: sample.time))
        }
        last = sample
    }

    /// - Parameter end: `.invalid` for one that holds until the next.
    private static func nothing(from start: CMTime, to end: CMTime) -> MovieSample {
        MovieSample(time: start, duration: end - start, content: .data(MetadataKeyTable.sample(of: []), isSync: true))
    }

    /// Takes note that no more comes before the end of the movie.
    package mutating func finish(at end: CMTime) {
        guard var last else { return }
        if !last.duration.isNumeric { last.duration = max(end - last.time, Self.usualDuration) }
        waiting.append(last)
        self.last = nil
    }

    /// Hands over what can be written.
    package mutating func take() -> [MovieSample] {
        defer { waiting = [] }
        return waiting
    }
}

extension MovieSample {
    /// Time at which it ends; that at which it begins where its length is unknown.
    package var end: CMTime { duration.isNumeric ? time + duration : time }
}

extension MovieContents.Track {
    /// Track of timed metadata under keys.
    package init(metadataKeys: [MetadataKey], timescale: CMTimeScale) {
        self.init(number: 0, kind: .foreignMetadata, codec: kCMMetadataFormatType_Boxed, timescale: timescale, timeRange: .zero)
        configuration = MetadataKeyTable.data(of: metadataKeys)
    }
}

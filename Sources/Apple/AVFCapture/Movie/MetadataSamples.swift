import CoreMedia
import Foundation
import Pipeline

/// Samples of a track of timed metadata, on the time of the movie, until the file takes them: each holds until the next where it does not say how long.
///
/// A file that is whole at its end takes a sample when its length is known. One in fragments (`begin`, `hold`) takes it with the next frame, so that it is
/// there after a kill: the length of a sample in fragments is what lies between it and the next.
package struct MetadataSamples {
    private var waiting: [MovieSample] = []
    private var last: MovieSample?
    /// Whether the last one was handed over.
    private var isLastTaken = false

    /// Ticks per second: frames of all usual rates are whole numbers of them.
    package static let timescale: CMTimeScale = 360_000
    private static let tick = CMTime(value: 1, timescale: timescale)
    /// Length of a last sample that says none.
    private static let usualDuration = CMTime(value: 1, timescale: 30)

    package init() {}

    /// Has a track begin without metadata at once, as a file in fragments wants; those of the first tick come a tick later.
    package mutating func begin() {
        guard last == nil else { return }
        last = Self.nothing(from: .zero, to: .invalid)
        hold(until: Self.tick)
    }

    /// Hands over, for a file in fragments, what holds before a time of the movie.
    package mutating func hold(until time: CMTime) {
        guard let last, last.time < time else { return }
        let isShort = last.duration.isNumeric && last.end < time
        if !isLastTaken, !last.duration.isNumeric || last.duration > .zero {
            waiting.append(MovieSample(time: last.time, duration: (isShort ? last.end : time) - last.time, content: last.content))
            isLastTaken = true
        }
        guard isShort else { return }
        append(Self.nothing(from: last.end, to: .invalid))
        hold(until: time)
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
            let earliest = isLastTaken ? last.time + Self.tick : last.time
            sample.time = max(sample.time, earliest)
            let end = max(last.end, earliest)
            let isShort = last.duration.isNumeric && end < sample.time
            if !isShort { last.duration = sample.time - last.time }
            if last.duration > .zero, !isLastTaken { waiting.append(last) }
            if isShort { waiting.append(Self.nothing(from: end, to: sample.time)) }
        } else if sample.time > .zero {
            waiting.append(Self.nothing(from: .zero, to: sample.time))
        }
        (last, isLastTaken) = (sample, false)
    }

    /// - Parameter end: `.invalid` for one that holds until the next.
    private static func nothing(from start: CMTime, to end: CMTime) -> MovieSample {
        MovieSample(time: start, duration: end - start, content: .data(MetadataKeyTable.sample(of: []), isSync: true))
    }

    /// Takes note that no more comes before the end of the movie.
    package mutating func finish(at end: CMTime) {
        if isLastTaken { hold(until: end) }
        guard var last, !isLastTaken else { return }
        if !last.duration.isNumeric { last.duration = max(end - last.time, Self.usualDuration) }
        waiting.append(last)
        isLastTaken = true
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

import AVFCapture
import CoreMedia
import Foundation
import Pipeline

/// Timeline of a composition's track: parts of files' tracks and gaps, one after the other from zero.
struct CompositionTimeline: Sendable, Equatable {
    /// Track of a file.
    struct Media: Sendable, Equatable {
        let file: AssetFile
        let track: MovieContents.Track

        static func == (one: Media, other: Media) -> Bool { one.file.url == other.file.url && one.track.number == other.track.number }
    }

    /// Part of a file's track, or a gap.
    struct Part: Sendable, Equatable {
        /// Track that it is of; nil of a gap.
        var media: Media?
        /// Range of the file; of a gap from zero, and as long as it.
        var source: CMTimeRange
        /// Length here, above zero; another one than in the file where the speed was changed.
        var duration: CMTime

        /// Makes a part at its file's own speed.
        init(_ media: Media, _ source: CMTimeRange) { (self.media, self.source, duration) = (media, source, source.duration) }

        private init(media: Media?, source: CMTimeRange, duration: CMTime) { (self.media, self.source, self.duration) = (media, source, duration) }

        static func gap(_ duration: CMTime) -> Part {
            Part(media: nil, source: CMTimeRange(start: .zero, duration: duration), duration: duration)
        }

        /// Whether the part has another speed than its file.
        var isScaled: Bool { duration != source.duration }

        /// The two parts on either side of a length within.
        fileprivate func divided(at length: CMTime) -> (Part, Part) {
            guard media != nil else { return (.gap(length), .gap(duration - length)) }
            let middle = length.mapped(from: CMTimeRange(start: .zero, duration: duration), to: source)
            return (
                Part(media: media, source: CMTimeRange(start: source.start, end: middle), duration: length),
                Part(media: media, source: CMTimeRange(start: middle, end: source.end), duration: duration - length)
            )
        }

        /// The part at another speed.
        fileprivate func lasting(_ duration: CMTime) -> Part {
            media == nil ? .gap(duration) : Part(media: media, source: source, duration: duration)
        }

        /// The part with another one that goes on where it ends, at the file's speed; nil for one that does not.
        fileprivate func joined(with next: Part) -> Part? {
            guard media == next.media else { return nil }
            guard let media else { return .gap(duration + next.duration) }
            guard !isScaled, !next.isScaled, source.end == next.source.start else { return nil }
            return Part(media, CMTimeRange(start: source.start, end: next.source.end))
        }
    }

    /// Parts in their order; the last is no gap.
    private(set) var parts: [Part] = []

    /// Time at which the last part ends.
    var end: CMTime { parts.reduce(.zero) { $0 + $1.duration } }

    /// Parts with the times at which they begin here.
    var placed: [(start: CMTime, part: Part)] {
        var start = CMTime.zero
        return parts.map { part in
            defer { start = start + part.duration }
            return (start, part)
        }
    }

    /// Puts parts in at a time; what is there is pushed behind them.
    mutating func insert(_ new: [Part], at time: CMTime) {
        parts.insert(contentsOf: new.filter { $0.duration > .zero }, at: split(at: time))
        join()
    }

    /// Puts a gap in; without effect at the end, and for a range without length.
    mutating func insertGap(_ range: CMTimeRange) {
        guard range.isValid, range.start.isNumeric, range.duration.isNumeric, range.duration > .zero, range.start < end else { return }
        insert([.gap(range.duration)], at: range.start)
    }

    /// Takes a range out; what follows moves up.
    mutating func remove(_ range: CMTimeRange) {
        let (first, last) = (split(at: range.start), split(at: range.end))
        parts.removeSubrange(first..<last)
        join()
    }

    /// Shows a range for another length, at another speed; what follows moves. Without effect for a range without length, and for no length.
    mutating func scale(_ range: CMTimeRange, to duration: CMTime) {
        guard range.isValid, range.start.isNumeric, range.duration.isNumeric, range.duration > .zero, duration.isNumeric, duration > .zero,
            range.start < end
        else { return }
        let target = CMTimeRange(start: range.start, duration: duration)
        let (first, last) = (split(at: range.start), split(at: range.end))
        var (start, placed) = (range.start, range.start)
        for index in first..<last {
            start = start + parts[index].duration
            let next = start.mapped(from: range, to: target)
            parts[index] = parts[index].lasting(next - placed)
            placed = next
        }
        join()
    }

    /// Parts in a range, gaps among them, as long as it altogether.
    func parts(in range: CMTimeRange) -> [Part] {
        var part = self
        let (first, last) = (part.split(at: range.start), part.split(at: range.end))
        return Array(part.parts[first..<last])
    }

    /// Number of the part that begins at a time; a part around it is divided, and a gap fills the time up to it.
    private mutating func split(at time: CMTime) -> Int {
        var start = CMTime.zero
        for (index, part) in parts.enumerated() {
            if start >= time { return index }
            let length = time - start
            if length < part.duration {
                let (before, after) = part.divided(at: length)
                parts.replaceSubrange(index...index, with: [before, after])
                return index + 1
            }
            start = start + part.duration
        }
        if start < time { parts.append(.gap(time - start)) }
        return parts.count
    }

    private mutating func join() {
        var joined: [Part] = []
        for part in parts {
            if let longer = joined.last?.joined(with: part) {
                joined[joined.count - 1] = longer
            } else {
                joined.append(part)
            }
        }
        if joined.last?.media == nil { _ = joined.popLast() }
        parts = joined
    }
}

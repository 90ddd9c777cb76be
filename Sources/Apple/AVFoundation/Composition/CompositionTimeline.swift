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
        /// Time in the file at which it begins; zero of a gap.
        var start: CMTime
        /// Length, above zero.
        var duration: CMTime

        static func gap(_ duration: CMTime) -> Part { Part(media: nil, start: .zero, duration: duration) }

        /// The part without what lies ahead of a length.
        func dropping(_ length: CMTime) -> Part {
            Part(media: media, start: media == nil ? .zero : start + length, duration: duration - length)
        }

        /// Whether the other part goes on where this one ends.
        fileprivate func isContinued(by next: Part) -> Bool { media == next.media && (media == nil || start + duration == next.start) }
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
                parts[index].duration = length
                parts.insert(part.dropping(length), at: index + 1)
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
            if let last = joined.last, last.isContinued(by: part) {
                joined[joined.count - 1].duration = last.duration + part.duration
            } else {
                joined.append(part)
            }
        }
        if joined.last?.media == nil { _ = joined.popLast() }
        parts = joined
    }
}

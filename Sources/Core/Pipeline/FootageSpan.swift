import CoreMedia
import Foundation

/// Part of footage that is used: from one point up to, and without, another.
public struct FootageSpan: Sendable, Equatable {
    /// Length of the part that a source of this description gives, which begins where the part does; nil where it goes to the end.
    package func length(in part: SourceDescription) -> CMTime? {
        guard let to, let time = to.end(in: part) else { return nil }
        // A timecode is counted from that of the part, everything else from the start of the footage.
        if case .timecode = to { return time }
        return time - part.footageStart
    }

    /// Point in footage as people name it.
    public enum Point: Sendable, Equatable, CustomStringConvertible {
        /// Time after the first frame.
        case time(CMTime)
        /// Number of a frame, 0 for the first.
        case frame(Int)
        /// Timecode of the footage; counted from 00:00:00:00 where it has none.
        case timecode(Timecode)

        /// Reads `3.5s`, `84f` or `01:00:03:12`; nil for anything else.
        public init?(_ text: String) {
            if let timecode = Timecode(text) {
                self = .timecode(timecode)
            } else if text.hasSuffix("f"), let frame = Int(text.dropLast()), frame >= 0 {
                self = .frame(frame)
            } else if let seconds = Double(text.hasSuffix("s") ? String(text.dropLast()) : text), seconds >= 0, seconds < 0x1p31 {
                self = .time(CMTime(value: Int64((seconds * 1_000_000).rounded()), timescale: 1_000_000))
            } else {
                return nil
            }
        }

        /// As it is written on the command line.
        public var description: String {
            switch self {
            case .time(let time): "\(time.seconds)s"
            case .frame(let number): "\(number)f"
            case .timecode(let timecode): timecode.description
            }
        }

        /// Whether a frame lies at this point or after it; nil for a timecode that the footage cannot have.
        package func isReached(by frame: Frame, of source: SourceDescription) -> Bool? {
            switch self {
            case .time(let time): return frame.presentationTime >= time
            case .frame(let number): return frame.index >= number
            case .timecode(let timecode):
                guard let number = Self.number(of: timecode, in: source) else { return nil }
                return frame.presentationTime.seconds > (Double(number) - 0.5) * source.frameDuration.seconds
            }
        }

        /// Time from which the first frame at this point or after it comes, in footage whose frames come evenly; nil for a timecode that it cannot have.
        package func time(in source: SourceDescription) -> CMTime? {
            func time(_ number: Int) -> CMTime? {
                Int32(exactly: number).map { CMTimeMultiply(source.frameDuration, multiplier: $0) }
            }
            switch self {
            case .time(let time): return time
            case .frame(let number): return time(number)
            case .timecode(let timecode):
                let half = CMTimeMultiplyByRatio(source.frameDuration, multiplier: 1, divisor: 2)
                return Self.number(of: timecode, in: source).flatMap(time).map { max($0 - half, .zero) }
            }
        }

        /// Time at which what lies before this point ends, in footage whose frames come evenly; nil for a timecode that it cannot have.
        package func end(in source: SourceDescription) -> CMTime? {
            guard case .timecode(let timecode) = self else { return time(in: source) }
            return Self.number(of: timecode, in: source).flatMap(Int32.init(exactly:)).map { CMTimeMultiply(source.frameDuration, multiplier: $0) }
        }

        /// Why footage cannot have a frame of this timecode.
        package func reasonOfNone(in source: SourceDescription) -> String {
            let first = source.timecode.map { "its first frame has \($0)" } ?? "it has no timecode, and counts from 00:00:00:00"
            return "has no frame of timecode \(self) at \(source.frameDuration.rateText) frames/s: \(first)"
        }

        /// Frames from the first of footage to that of a timecode; nil where it has no such frame.
        private static func number(of timecode: Timecode, in source: SourceDescription) -> Int? {
            let rate = Int((1 / source.frameDuration.seconds).rounded())
            return timecode.frame(rate: rate, after: source.timecode.flatMap(Timecode.init)).flatMap { $0 >= 0 ? $0 : nil }
        }
    }

    /// First frame used; nil is the first there is.
    public var from: Point?
    /// First frame after those used; nil is the end.
    public var to: Point?

    /// Creates a span, by default of everything.
    public init(from: Point? = nil, to: Point? = nil) { (self.from, self.to) = (from, to) }

    /// End of the last frame used, where `SourceDescription.end` tells that of the footage; nil where that is not known beforehand, as frames are counted.
    package func end(in source: SourceDescription) -> CMTime? {
        guard let to, let end = source.end else { return source.end }
        if case .frame = to { return nil }
        return to.end(in: source).map { min($0, end) }
    }

    /// Remark where footage ends before the part that is wanted does; nil where it does not. Half a frame counts for nothing.
    ///
    /// - Parameters:
    ///   - index: number of the last frame, 0 for the first; it begins at `time`.
    ///   - path: the footage, for people.
    package func remark(onEndAfter index: Int, at time: CMTime, of source: SourceDescription, _ path: String) -> String? {
        guard let to else { return nil }
        switch to {
        case .frame(let number): guard number > index + 1 else { return nil }
        case .time, .timecode:
            let end = source.end ?? time + source.frameDuration
            guard let asked = to.end(in: source), (asked - end).seconds > source.frameDuration.seconds / 2 else { return nil }
        }
        return "\(path) ends at \(Self.end(after: index, at: time, of: source, as: to)), before --to \(to); it is used to its end"
    }

    /// Why footage has no frame of the part, which begins behind its last one; arguments as above.
    package func reason(forEndAfter index: Int, at time: CMTime, of source: SourceDescription) -> String {
        guard let from else { return "ends before its first frame" }
        let end = Self.end(after: index, at: time, of: source, as: from)
        return "ends at \(end), before \(from), from which it is to be used\(noteOnTimecode(in: source))"
    }

    /// Start of the count, behind a reason, where `from` is a timecode and the source has none; else empty.
    package func noteOnTimecode(in source: SourceDescription) -> String {
        guard case .timecode = from, source.timecode == nil else { return "" }
        return ": it has no timecode, and counts from 00:00:00:00"
    }

    /// Why the part has no frame: it ends before its first one.
    package var reasonOfNone: String {
        "has no frame \(from.map { "from \($0) on and " } ?? "")before \(to?.description ?? "its end"); give a later --to"
    }

    /// End of footage as the point that is asked for is told: in frames, in timecode, or in seconds.
    private static func end(after index: Int, at time: CMTime, of source: SourceDescription, as asked: Point) -> Point {
        let end = source.end ?? time + source.frameDuration
        switch asked {
        case .frame: return .frame(index + 1)
        case .timecode(let timecode):
            let first = source.timecode.flatMap(Timecode.init) ?? Timecode(frame: 0, rate: 1, dropsFrames: timecode.dropsFrames)
            if let timecode = source.timecode(at: end, from: first) { return .timecode(timecode) }
        case .time: break
        }
        return .time(CMTimeConvertScale(end, timescale: 1000, method: .roundHalfAwayFromZero))
    }

    /// Whether nothing is left out.
    public var isWhole: Bool { from == nil && to == nil }
}

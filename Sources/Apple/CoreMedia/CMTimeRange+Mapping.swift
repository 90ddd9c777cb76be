import Foundation

/// Range of one timeline, and the range of another that it corresponds to.
public struct CMTimeMapping: Sendable, Hashable {
    /// Range of the timeline to map from.
    public var source: CMTimeRange
    /// Range of the timeline to map to.
    public var target: CMTimeRange

    /// Makes a mapping of two invalid ranges.
    public init() { self.init(source: .invalid, target: .invalid) }
    /// Makes a mapping from its two ranges; not checked.
    public init(source: CMTimeRange, target: CMTimeRange) { (self.source, self.target) = (source, target) }
}

extension CMTimeRange {
    /// Whether the range is valid and its start or duration unknown.
    public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }

    /// Returns the smallest range around both; invalid where one is.
    public func union(_ otherRange: CMTimeRange) -> CMTimeRange {
        guard isValid, otherRange.isValid else { return .invalid }
        return CMTimeRange(start: min(start, otherRange.start), end: max(end, otherRange.end))
    }

    /// Returns the part that both share; `.zero` where there is none, invalid where one is.
    public func intersection(_ otherRange: CMTimeRange) -> CMTimeRange {
        guard isValid, otherRange.isValid else { return .invalid }
        let (from, to) = (max(start, otherRange.start), min(end, otherRange.end))
        return from < to ? CMTimeRange(start: from, end: to) : .zero
    }
}

extension CMTime {
    /// Maps a time of one timeline to another by two corresponding ranges: shifted, and stretched by the ratio of their durations.
    public func mapped(from: CMTimeRange, to: CMTimeRange) -> CMTime {
        guard from.isValid, to.isValid, isValid else { return .invalid }
        return to.start + (self - from.start).stretched(from: from.duration, to: to.duration)
    }

    /// Returns the time multiplied by `to` / `from`; invalid for an empty `from`.
    fileprivate func stretched(from: CMTime, to: CMTime) -> CMTime {
        guard from != to else { return self }
        guard from.isNumeric, to.isNumeric, from.value != 0 else { return .invalid }
        let common = Self.greatestCommonDivisor(UInt64(from.timescale), UInt64(to.timescale))
        let (numerator, high) = to.value.multipliedReportingOverflow(by: Int64(from.timescale) / Int64(common))
        let (denominator, low) = from.value.multipliedReportingOverflow(by: Int64(to.timescale) / Int64(common))
        if high || low { return CMTimeMultiplyByFloat64(self, multiplier: to.seconds / from.seconds) }
        let shared = Int64(Self.greatestCommonDivisor(numerator.magnitude, denominator.magnitude))
        return scaled(by: numerator / shared, over: denominator / shared)
    }
}

/// Returns the range between two times.
public func CMTimeRangeFromTimeToTime(start: CMTime, end: CMTime) -> CMTimeRange { CMTimeRange(start: start, end: end) }
/// Returns the smallest range around both; invalid where one is.
public func CMTimeRangeGetUnion(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange { range.union(otherRange) }
/// Returns the part that both share; `.zero` where there is none, invalid where one is.
public func CMTimeRangeGetIntersection(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange { range.intersection(otherRange) }
/// Whether `otherRange` lies within `range`, touching its bounds or not.
public func CMTimeRangeContainsTimeRange(_ range: CMTimeRange, otherRange: CMTimeRange) -> Bool { range.containsTimeRange(otherRange) }
/// Whether both start at the same time and are equally long.
public func CMTimeRangeEqual(_ range1: CMTimeRange, _ range2: CMTimeRange) -> Bool { range1 == range2 }

/// Returns the nearest time of the range, its end included; invalid for an invalid range.
public func CMTimeClampToRange(_ time: CMTime, range: CMTimeRange) -> CMTime {
    range.isValid && time.isValid ? min(max(time, range.start), range.end) : .invalid
}

/// Maps a time between two timelines by two corresponding ranges; times outside are extrapolated.
public func CMTimeMapTimeFromRangeToRange(_ t: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange) -> CMTime {
    t.mapped(from: fromRange, to: toRange)
}

/// Maps a duration between two timelines by two corresponding ranges.
public func CMTimeMapDurationFromRangeToRange(_ dur: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange) -> CMTime {
    fromRange.isValid && toRange.isValid && dur.isValid ? dur.stretched(from: fromRange.duration, to: toRange.duration) : .invalid
}

/// Returns the time moved into the range by a whole number of its durations; invalid for a range of duration 0.
public func CMTimeFoldIntoRange(_ time: CMTime, foldRange: CMTimeRange) -> CMTime {
    guard time.isNumeric, foldRange.isValid, foldRange.duration.isNumeric, foldRange.duration > .zero else { return .invalid }
    let (offset, length) = (time - foldRange.start, foldRange.duration)
    let a = Int128(offset.value) * Int128(length.timescale)
    let b = Int128(length.value) * Int128(offset.timescale)
    let quotient = a >= 0 ? a / b : -((-a + b - 1) / b)
    guard let whole = Int64(exactly: quotient) else { return .invalid }
    return foldRange.start + (offset - length.scaled(by: whole, over: 1))
}

import Foundation

/// A span of one timeline, and the span of another that it becomes.
public struct CMTimeMapping: Sendable, Hashable {
    public var source: CMTimeRange
    public var target: CMTimeRange

    public init() { self.init(source: .invalid, target: .invalid) }
    public init(source: CMTimeRange, target: CMTimeRange) { (self.source, self.target) = (source, target) }
}

extension CMTimeRange {
    public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }

    /// The smallest range around both; invalid where one is.
    public func union(_ otherRange: CMTimeRange) -> CMTimeRange {
        guard isValid, otherRange.isValid else { return .invalid }
        return CMTimeRange(start: min(start, otherRange.start), end: max(end, otherRange.end))
    }

    /// What is in both; empty where nothing is, invalid where one is.
    public func intersection(_ otherRange: CMTimeRange) -> CMTimeRange {
        guard isValid, otherRange.isValid else { return .invalid }
        let (from, to) = (max(start, otherRange.start), min(end, otherRange.end))
        return from < to ? CMTimeRange(start: from, end: to) : .zero
    }
}

extension CMTime {
    /// From one timeline to another whose spans are the same: shifted, and stretched by the spans' durations.
    public func mapped(from: CMTimeRange, to: CMTimeRange) -> CMTime {
        guard from.isValid, to.isValid, isValid else { return .invalid }
        return to.start + (self - from.start).stretched(from: from.duration, to: to.duration)
    }

    /// Times `to` over `from`; invalid for an empty `from`.
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

public func CMTimeRangeFromTimeToTime(start: CMTime, end: CMTime) -> CMTimeRange { CMTimeRange(start: start, end: end) }
public func CMTimeRangeGetUnion(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange { range.union(otherRange) }
public func CMTimeRangeGetIntersection(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange { range.intersection(otherRange) }
public func CMTimeRangeContainsTimeRange(_ range: CMTimeRange, otherRange: CMTimeRange) -> Bool { range.containsTimeRange(otherRange) }
public func CMTimeRangeEqual(_ range1: CMTimeRange, _ range2: CMTimeRange) -> Bool { range1 == range2 }

/// The nearest time of the range, its end included; invalid for an invalid range.
public func CMTimeClampToRange(_ time: CMTime, range: CMTimeRange) -> CMTime {
    range.isValid && time.isValid ? min(max(time, range.start), range.end) : .invalid
}

/// From one timeline to another whose ranges correspond; times outside go along.
public func CMTimeMapTimeFromRangeToRange(_ t: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange) -> CMTime {
    t.mapped(from: fromRange, to: toRange)
}

/// A length in one timeline as a length in another whose ranges correspond.
public func CMTimeMapDurationFromRangeToRange(_ dur: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange) -> CMTime {
    fromRange.isValid && toRange.isValid && dur.isValid ? dur.stretched(from: fromRange.duration, to: toRange.duration) : .invalid
}

/// The time brought into the range by whole lengths of it; invalid for a range without length.
public func CMTimeFoldIntoRange(_ time: CMTime, foldRange: CMTimeRange) -> CMTime {
    guard time.isNumeric, foldRange.isValid, foldRange.duration.isNumeric, foldRange.duration > .zero else { return .invalid }
    let (offset, length) = (time - foldRange.start, foldRange.duration)
    let a = Int128(offset.value) * Int128(length.timescale)
    let b = Int128(length.value) * Int128(offset.timescale)
    let turns = a >= 0 ? a / b : -((-a + b - 1) / b)
    guard let whole = Int64(exactly: turns) else { return .invalid }
    return foldRange.start + (offset - length.scaled(by: whole, over: 1))
}

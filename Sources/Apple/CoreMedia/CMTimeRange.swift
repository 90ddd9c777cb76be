@_exported import CoreVideo
import Foundation

/// Half-open span of time: `start` belongs to it, `end` does not.
public struct CMTimeRange: Sendable, Hashable {
    /// First time of the range.
    public var start: CMTime
    /// Length of the range; negative makes the range invalid.
    public var duration: CMTime

    /// Makes the invalid range.
    public init() { self.init(start: .invalid, duration: .invalid) }

    /// Makes a range from its start and its length; not checked.
    public init(start: CMTime, duration: CMTime) {
        self.start = start
        self.duration = duration
    }

    /// Makes a range from its start to its end, which does not belong to it.
    public init(start: CMTime, end: CMTime) { self.init(start: start, duration: end - start) }

    /// Empty range at 0 s.
    public static let zero = CMTimeRange(start: .zero, duration: .zero)
    /// Range without meaning.
    public static let invalid = CMTimeRange()

    /// First time after the range.
    public var end: CMTime { start + duration }
    /// Whether start and duration are valid and the duration is not negative.
    public var isValid: Bool { start.isValid && duration.isValid && duration >= .zero }
    /// Whether the range is valid and its duration 0.
    public var isEmpty: Bool { isValid && duration == .zero }
    /// Whether `time` is at or after the start and before the end; false for an invalid range.
    public func containsTime(_ time: CMTime) -> Bool { isValid && start <= time && time < end }
    /// Whether `range` lies within this one, touching its bounds or not; false where either is invalid.
    public func containsTimeRange(_ range: CMTimeRange) -> Bool { isValid && range.isValid && start <= range.start && range.end <= end }
}

/// Returns a range from its start and its length.
public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange { CMTimeRange(start: start, duration: duration) }
/// Returns the first time after the range.
public func CMTimeRangeGetEnd(_ range: CMTimeRange) -> CMTime { range.end }
/// Whether `time` is at or after the start and before the end; false for an invalid range.
public func CMTimeRangeContainsTime(_ range: CMTimeRange, time: CMTime) -> Bool { range.containsTime(time) }

import Foundation

/// Clock or timebase, whose times can be converted to those of another one.
public protocol CMSyncProtocol: AnyObject {
    /// Time now.
    var time: CMTime { get }
}

/// Clock or timebase, in functions of C.
public typealias CMClockOrTimebase = AnyObject

extension CMClock: CMSyncProtocol {}
extension CMTimebase: CMSyncProtocol {}

extension CMSyncProtocol {
    private var pace: Float64 { (self as? CMTimebase)?.rate ?? 1 }

    /// Seconds that pass here in one of another clock or timebase: the ratio of their rates, 0 where the other one stands.
    public func rate(relativeTo clockOrTimebase: any CMSyncProtocol) -> Float64 {
        clockOrTimebase.pace == 0 ? 0 : pace / clockOrTimebase.pace
    }

    /// Converts a time to that of another clock or timebase at the same moment, both read now; invalid where this one stands.
    public func convertTime(_ time: CMTime, to clockOrTimebase: any CMSyncProtocol) -> CMTime {
        guard clockOrTimebase !== self else { return time }
        let (own, other, rate) = (self.time, clockOrTimebase.time, clockOrTimebase.rate(relativeTo: self))
        guard pace != 0 else { return .invalid }
        return other + (rate == 1 ? time - own : CMTimeMultiplyByFloat64(time - own, multiplier: rate))
    }
}

/// Returns the time of a clock or timebase; invalid for another object.
public func CMSyncGetTime(_ clockOrTimebase: CMClockOrTimebase) -> CMTime { (clockOrTimebase as? any CMSyncProtocol)?.time ?? .invalid }

/// Converts a time of one clock or timebase to that of another at the same moment; invalid for other objects, and from one that stands.
public func CMSyncConvertTime(
    _ time: CMTime, from fromClockOrTimebase: CMClockOrTimebase, to toClockOrTimebase: CMClockOrTimebase
) -> CMTime {
    guard let from = fromClockOrTimebase as? any CMSyncProtocol, let to = toClockOrTimebase as? any CMSyncProtocol else { return .invalid }
    return from.convertTime(time, to: to)
}

/// Returns the ratio of the rates of two clocks or timebases; 0 for other objects.
public func CMSyncGetRelativeRate(
    _ ofClockOrTimebase: CMClockOrTimebase, relativeTo relativeToClockOrTimebase: CMClockOrTimebase
) -> Float64 {
    guard let one = ofClockOrTimebase as? any CMSyncProtocol, let other = relativeToClockOrTimebase as? any CMSyncProtocol else { return 0 }
    return one.rate(relativeTo: other)
}

/// Returns the time of the host's clock for units of `mach_absolute_time()`, nanoseconds here.
public func CMClockMakeHostTimeFromSystemUnits(_ hostTime: UInt64) -> CMTime {
    CMTime(value: CMTimeValue(clamping: hostTime), timescale: 1_000_000_000)
}
/// Returns the units of `mach_absolute_time()` for a time of the host's clock, at least 0.
public func CMClockConvertHostTimeToSystemUnits(_ hostTime: CMTime) -> UInt64 {
    UInt64(clamping: CMTimeConvertScale(hostTime, timescale: 1_000_000_000, method: .roundHalfAwayFromZero).value)
}

import Dispatch

/// Ratio of nanoseconds to the units of `mach_absolute_time()`.
public struct mach_timebase_info_data_t: Sendable {
    /// Numerator.
    public var numer: UInt32
    /// Denominator.
    public var denom: UInt32

    /// Makes the ratio 0 / 0, to be filled in.
    public init() { self.init(numer: 0, denom: 0) }
    /// Makes a ratio.
    public init(numer: UInt32, denom: UInt32) { (self.numer, self.denom) = (numer, denom) }
}

/// Makes the ratio 0 / 0, to be filled in; the type has the name of `mach_timebase_info_data_t` alone, as Swift has one thing of a name.
public func mach_timebase_info() -> mach_timebase_info_data_t { mach_timebase_info_data_t() }

/// Time of the machine since its start, as of `CMClockGetHostTimeClock()`: in nanoseconds here; it stands while the machine sleeps.
public func mach_absolute_time() -> UInt64 { DispatchTime.now().uptimeNanoseconds }

/// Returns the time of the machine's clock, in the units of `mach_absolute_time()`.
public func CVGetCurrentHostTime() -> UInt64 { mach_absolute_time() }

/// Returns the units of `CVGetCurrentHostTime()` in a second.
public func CVGetHostClockFrequency() -> Double { 1e9 }

/// Writes the ratio of nanoseconds to the units of `mach_absolute_time()`, 1; returns 0.
@discardableResult
public func mach_timebase_info(_ info: UnsafeMutablePointer<mach_timebase_info_data_t>) -> Int32 {
    info.pointee = mach_timebase_info_data_t(numer: 1, denom: 1)
    return 0
}

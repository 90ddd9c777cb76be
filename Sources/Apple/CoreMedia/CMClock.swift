import Foundation
import Synchronization

/// Source of time that only moves forward.
public final class CMClock: Sendable {
    private let now: @Sendable () -> CMTime

    package init(now: @escaping @Sendable () -> CMTime) { self.now = now }

    /// Clock of the machine, in nanoseconds since it started; it stands while the machine sleeps.
    public static let hostTimeClock = CMClock {
        CMTime(value: CMTimeValue(DispatchTime.now().uptimeNanoseconds), timescale: 1_000_000_000)
    }

    /// Reading of the clock now; for the clock of a simulated capture, the time of the frame at hand.
    public var time: CMTime { now() }
}

/// Returns the clock of the machine.
public func CMClockGetHostTimeClock() -> CMClock { .hostTimeClock }
/// Returns the reading of the clock now.
public func CMClockGetTime(_ clock: CMClock) -> CMTime { clock.time }

/// The clock of a simulated capture: it shows the time of the frame at hand and stands still between frames.
package final class VirtualClock: Sendable {
    private let reading: Reading
    package let clock: CMClock

    private final class Reading: Sendable {
        let time = Mutex(CMTime.zero)
    }

    package init() {
        let reading = Reading()
        self.reading = reading
        clock = CMClock { reading.time.withLock { $0 } }
    }

    package func advance(to time: CMTime) { reading.time.withLock { $0 = time } }
}

import CoreVideo
import Foundation
import Synchronization

/// Settable time that runs along a clock at a rate of its own; it starts at zero, standing.
public final class CMTimebase: Sendable {
    /// Clock that drives the timebase.
    public let sourceClock: CMClock
    private let state: Mutex<State>

    private struct State: Sendable {
        var rate = 0.0
        /// Times of the clock and of the timebase that were the same moment when time or rate was set last.
        var source: CMTime
        var own = CMTime.zero
    }

    /// Makes a timebase at time zero and rate 0.
    public init(sourceClock: CMClock) throws {
        self.sourceClock = sourceClock
        state = Mutex(State(source: sourceClock.time))
    }

    /// Time now: since the last set, the clock's progress times `rate`.
    public var time: CMTime {
        let now = sourceClock.time
        return state.withLock { Self.time($0, at: now) }
    }

    /// Seconds per second of the clock; 0 stands, 1 is the clock's own pace.
    public var rate: Float64 { state.withLock { $0.rate } }

    /// Sets the time now; the rate stays.
    public func setTime(_ time: CMTime) throws {
        let now = sourceClock.time
        state.withLock { ($0.source, $0.own) = (now, time) }
    }

    /// Sets the rate from now on; the time does not jump.
    public func setRate(_ rate: Float64) throws {
        let now = sourceClock.time
        state.withLock { $0 = State(rate: rate, source: now, own: Self.time($0, at: now)) }
    }

    private static func time(_ state: State, at now: CMTime) -> CMTime {
        let passed = now - state.source
        return switch state.rate {
        case 0: state.own
        case 1: state.own + passed
        default: state.own + CMTime(seconds: passed.seconds * state.rate, preferredTimescale: 1_000_000_000)
        }
    }
}

/// Makes a timebase at time zero and rate 0. The allocator is ignored.
@discardableResult
public func CMTimebaseCreateWithSourceClock(
    allocator: CFAllocator?, sourceClock: CMClock, timebaseOut: UnsafeMutablePointer<CMTimebase?>
) -> OSStatus {
    timebaseOut.pointee = try? CMTimebase(sourceClock: sourceClock)
    return noErr
}

/// Makes a timebase at time zero and rate 0, by the older name of `CMTimebaseCreateWithSourceClock`.
@discardableResult
public func CMTimebaseCreateWithMasterClock(
    allocator: CFAllocator?, masterClock: CMClock, timebaseOut: UnsafeMutablePointer<CMTimebase?>
) -> OSStatus {
    CMTimebaseCreateWithSourceClock(allocator: allocator, sourceClock: masterClock, timebaseOut: timebaseOut)
}

/// Returns the time now.
public func CMTimebaseGetTime(_ timebase: CMTimebase) -> CMTime { timebase.time }
/// Returns the rate, in seconds per second of the clock.
public func CMTimebaseGetRate(_ timebase: CMTimebase) -> Float64 { timebase.rate }

/// Sets the time now; the rate stays.
@discardableResult
public func CMTimebaseSetTime(_ timebase: CMTimebase, time: CMTime) -> OSStatus {
    try? timebase.setTime(time)
    return noErr
}

/// Sets the rate from now on; the time does not jump.
@discardableResult
public func CMTimebaseSetRate(_ timebase: CMTimebase, rate: Float64) -> OSStatus {
    try? timebase.setRate(rate)
    return noErr
}

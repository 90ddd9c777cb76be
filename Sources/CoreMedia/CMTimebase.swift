import CoreVideo
import Foundation
import Synchronization

/// A time that runs along a clock at a rate of its own, and can be set; it starts at zero and stands.
public final class CMTimebase: Sendable {
    public let sourceClock: CMClock
    private let state: Mutex<State>

    private struct State: Sendable {
        var rate = 0.0
        /// The two times that were the same moment when last something was set.
        var source: CMTime
        var own = CMTime.zero
    }

    public init(sourceClock: CMClock) throws {
        self.sourceClock = sourceClock
        state = Mutex(State(source: sourceClock.time))
    }

    public var time: CMTime {
        let now = sourceClock.time
        return state.withLock { Self.time($0, at: now) }
    }

    /// Seconds per second of the clock; 0 stands, 1 is its own pace.
    public var rate: Float64 { state.withLock { $0.rate } }

    public func setTime(_ time: CMTime) throws {
        let now = sourceClock.time
        state.withLock { ($0.source, $0.own) = (now, time) }
    }

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

/// The allocator is ignored.
@discardableResult
public func CMTimebaseCreateWithSourceClock(
    allocator: CFAllocator?, sourceClock: CMClock, timebaseOut: UnsafeMutablePointer<CMTimebase?>
) -> OSStatus {
    timebaseOut.pointee = try? CMTimebase(sourceClock: sourceClock)
    return noErr
}

public func CMTimebaseGetTime(_ timebase: CMTimebase) -> CMTime { timebase.time }
public func CMTimebaseGetRate(_ timebase: CMTimebase) -> Float64 { timebase.rate }

@discardableResult
public func CMTimebaseSetTime(_ timebase: CMTimebase, time: CMTime) -> OSStatus {
    try? timebase.setTime(time)
    return noErr
}

@discardableResult
public func CMTimebaseSetRate(_ timebase: CMTimebase, rate: Float64) -> OSStatus {
    try? timebase.setRate(rate)
    return noErr
}

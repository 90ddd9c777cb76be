import AVFCapture
import CoreMedia
import Foundation
import Synchronization

/// Observers of a player's time. The time is read under the lock: of two threads that notice it, none comes late with an older one.
final class TimeObservers: Sendable {
    enum Occasion: Sendable {
        /// Multiples of an interval, and jumps, starts and stops.
        case every(CMTime)
        /// Some times.
        case at([CMTime])

        /// Whether a time of the observer's lies between two, the first excluded and the second included.
        func isPassed(from last: CMTime, to now: CMTime) -> Bool {
            switch self {
            case .every(let interval):
                guard interval.isNumeric, interval > .zero else { return last != now }
                return (last.seconds / interval.seconds).rounded(.down) != (now.seconds / interval.seconds).rounded(.down)
            case .at(let times): return times.contains { last < now ? last < $0 && $0 <= now : now <= $0 && $0 < last }
            }
        }
    }

    private final class Observer: Sendable {
        let occasion: Occasion
        let queue: DispatchQueue
        let block: @Sendable (CMTime) -> Void

        init(_ occasion: Occasion, _ queue: DispatchQueue, _ block: @escaping @Sendable (CMTime) -> Void) {
            self.occasion = occasion
            self.queue = queue
            self.block = block
        }

        // Queued under the lock, so that calls are in the order of their times.
        func tell(_ time: CMTime) { queue.async(group: nil) { [block] in block(time) } }
    }

    private struct State: Sendable {
        var observers: [Observer] = []
        var last = CMTime.zero
    }

    private let state = Mutex(State())

    func add(
        _ occasion: Occasion, _ queue: DispatchQueue, from now: @autoclosure () -> CMTime, _ block: @escaping @Sendable (CMTime) -> Void
    ) -> Any {
        let observer = Observer(occasion, queue, block)
        state.withLock { state in
            state.observers.append(observer)
            state.last = now()
        }
        return observer
    }

    func remove(_ observer: Any) { state.withLock { state in state.observers.removeAll { $0 === observer as AnyObject } } }

    /// Tells observers whose times were passed since the last call, and returns the time.
    func pass(to now: @autoclosure () -> CMTime) -> CMTime {
        state.withLock { state in
            let now = now()
            for observer in state.observers where observer.occasion.isPassed(from: state.last, to: now) { observer.tell(now) }
            state.last = now
            return now
        }
    }

    /// Tells the observers of intervals of a jump, a start or a stop, which `now` may bring about.
    func tell(at now: () -> CMTime) {
        state.withLock { state in
            let now = now()
            for observer in state.observers {
                if case .every = observer.occasion { observer.tell(now) }
            }
            state.last = now
        }
    }
}

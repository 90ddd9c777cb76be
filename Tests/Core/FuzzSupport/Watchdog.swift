import Foundation
import Synchronization

/// Timer that ends the process, with the seed, when an input does not end.
final class Watchdog {
    private final class Progress: Sendable {
        /// The input under way, and the ticks of the timer that it has seen.
        let state = Mutex<(seed: UInt64, ticks: Int)>((0, 0))
    }

    private let progress = Progress()
    private let timer = DispatchSource.makeTimerSource(queue: .global())
    private static let interval = 5

    init(_ name: String, seconds: Int) {
        timer.schedule(deadline: .now() + .seconds(Self.interval), repeating: .seconds(Self.interval))
        timer.setEventHandler { [progress] in
            let (seed, ticks) = progress.state.withLock { state in
                state.ticks += 1
                return state
            }
            if ticks > seconds / Self.interval { fatalError("\(name): the input of seed \(seed) did not end within \(seconds) s") }
        }
        timer.resume()
    }

    deinit { timer.cancel() }

    func begin(_ seed: UInt64) { progress.state.withLock { $0 = (seed, 0) } }
}

import Synchronization

/// Count of calls that wait on a delegate's queue or are under way there; only the wall clock lets any wait.
final class Backlog: Sendable {
    private let waiting = Mutex(0)
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    var count: Int { waiting.withLock { $0 } }

    /// Counts one more call; false when there are too many already.
    func enter() -> Bool {
        waiting.withLock { waiting in
            guard waiting < limit else { return false }
            waiting += 1
            return true
        }
    }

    func leave() { waiting.withLock { $0 -= 1 } }
}

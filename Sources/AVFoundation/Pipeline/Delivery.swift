import Foundation
import Synchronization

/// Calls delegates on their queues and waits for them, until it is stopped.
///
/// A stop never waits for a delegate: whoever waits is let go, calls still in a queue fall away, and a call under way ends by itself.
/// So a session may be stopped from the very queue its delegates are on.
final class Delivery: @unchecked Sendable {
    private let condition = NSCondition()
    private let environment: CaptureEnvironment
    private var isStopped = false
    private var lastTicket = 0
    private var done: Set<Int> = []

    init(environment: CaptureEnvironment) { self.environment = environment }

    /// Runs `body` on `queue` and returns when it returned, or when the delivery was stopped.
    func call(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
        if environment.isInline {
            if !hasStopped { queue.sync(execute: body) }
            return
        }
        let ticket: Int? = condition.withLock {
            guard !isStopped else { return nil }
            lastTicket += 1
            return lastTicket
        }
        guard let ticket else { return }
        queue.async { [self] in
            guard condition.withLock({ !isStopped }) else { return }
            CaptureEnvironment.$scoped.withValue(environment, operation: body)
            condition.withLock {
                done.insert(ticket)
                condition.broadcast()
            }
        }
        condition.withLock {
            while !done.contains(ticket), !isStopped { condition.wait() }
            done.remove(ticket)
        }
    }

    var hasStopped: Bool { condition.withLock { isStopped } }

    func stop() {
        condition.withLock {
            isStopped = true
            condition.broadcast()
        }
    }
}

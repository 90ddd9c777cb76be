import Foundation
import Synchronization

/// Caller of delegates on their queues, until it is stopped. Under a virtual clock it waits for them, under the wall clock for none.
///
/// A stop never waits for a delegate: waiting threads are let go, calls still in a queue fall away, and a call under way ends by itself.
/// So a session may be stopped from the very queue its delegates are on.
final class Delivery: @unchecked Sendable {
    private let condition = NSCondition()
    private let environment: CaptureEnvironment
    /// Set under the condition.
    private let stopped = Atomic(false)
    private var isHeld = false
    private var lastTicket = 0
    private var done: Set<Int> = []

    init(environment: CaptureEnvironment) { self.environment = environment }

    var isStopped: Bool { stopped.load(ordering: .acquiring) }

    /// Whether delegates are called from the calling thread, which `callHere` does.
    var isInline: Bool { environment.isInline }

    /// Runs `body` on `queue` from this thread, unless the delivery was stopped.
    func callHere(on queue: DispatchQueue, _ body: () -> Void) {
        if !isStopped { queue.sync(execute: body) }
    }

    /// Hands `body` over to a delegate's queue. Under the wall clock it falls away when too many of `backlog` wait there.
    func hand(to queue: DispatchQueue, in backlog: Backlog, _ body: @escaping @Sendable () -> Void) {
        guard environment.isWallClock else { return call(on: queue, body) }
        guard backlog.enter() else { return }
        queue.async { [self] in
            defer { backlog.leave() }
            if !isStopped { environment.enter(body) }
        }
    }

    /// Runs `body` on `queue` and returns when it returned, or when the delivery was stopped.
    func call(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
        if isInline { return callHere(on: queue, body) }
        let ticket: Int? = condition.withLock {
            guard !isStopped else { return nil }
            lastTicket += 1
            return lastTicket
        }
        guard let ticket else { return }
        queue.async { [self] in
            guard !isStopped else { return }
            environment.enter(body)
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

    /// Waits until the delegates were called that the environment was asked to call; under the wall clock for none.
    func awaitDelegates() {
        if !environment.isWallClock { call(on: environment.delegateQueue) {} }
    }

    func stop() {
        condition.withLock {
            stopped.store(true, ordering: .releasing)
            condition.broadcast()
        }
    }

    /// Makes threads that ask to begin wait from now on.
    func hold() { condition.withLock { isHeld = true } }

    func release() {
        condition.withLock {
            isHeld = false
            condition.broadcast()
        }
    }

    /// Waits while the delivery is held; false when it was stopped.
    func mayBegin() -> Bool {
        condition.withLock {
            while isHeld, !isStopped { condition.wait() }
            return !isStopped
        }
    }

    /// Waits for a point in time; false when the delivery was stopped before.
    func wait(until date: Date) -> Bool {
        condition.withLock {
            while !isStopped, condition.wait(until: date) {}
            return !isStopped
        }
    }
}

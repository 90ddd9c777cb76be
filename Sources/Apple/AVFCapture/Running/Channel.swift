import Foundation
import Synchronization

/// Bounded queue from one thread to another, with an end.
package final class Channel<Element: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private let capacity: Int
    private var elements: [Element] = []
    private var ended = false
    private var error: (any Error)?
    private var isClosed = false

    package init(capacity: Int) { self.capacity = capacity }

    /// Waits for room; false when the channel was closed.
    package func send(_ element: Element) -> Bool {
        condition.withLock {
            while elements.count >= capacity, !isClosed { condition.wait() }
            guard !isClosed else { return false }
            elements.append(element)
            condition.broadcast()
            return true
        }
    }

    /// Whether a sender would have to wait.
    package var isFull: Bool { condition.withLock { elements.count >= capacity && !isClosed } }

    /// Elements that nobody has received.
    package var count: Int { condition.withLock { elements.count } }

    /// Ends the channel, with an error when that is the reason.
    package func finish(_ error: (any Error)? = nil) {
        condition.withLock {
            ended = true
            self.error = error
            condition.broadcast()
        }
    }

    /// Waits for the next element; nil at the end or when closed. Throws the error the channel ended with.
    package func next() throws -> Element? {
        try condition.withLock {
            while elements.isEmpty, !ended, !isClosed { condition.wait() }
            guard !isClosed else { return nil }
            if !elements.isEmpty {
                condition.broadcast()
                return elements.removeFirst()
            }
            if let error { throw error }
            return nil
        }
    }

    /// Lets go of both ends at once; elements not received are dropped.
    package func close() {
        condition.withLock {
            isClosed = true
            elements = []
            condition.broadcast()
        }
    }
}

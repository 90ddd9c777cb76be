import Foundation
import Synchronization

extension NotificationCenter {
    /// Returns the notifications of a name, and of `object` unless that is nil, from the making of an iterator on.
    public func notifications(named name: Notification.Name, object: (any AnyObject & Sendable)? = nil) -> Notifications {
        Notifications(center: self, name: name, object: object)
    }

    /// Endless sequence of notifications; those that come while nobody waits are kept.
    public final class Notifications: AsyncSequence, @unchecked Sendable {
        /// Type of the elements.
        public typealias Element = Notification
        /// Type of failure: none.
        public typealias Failure = Never
        private let center: NotificationCenter
        private let name: Notification.Name
        private let object: (any AnyObject & Sendable)?

        init(center: NotificationCenter, name: Notification.Name, object: (any AnyObject & Sendable)?) {
            self.center = center
            self.name = name
            self.object = object
        }

        /// Begins to observe; the iterator returns the notifications from now on.
        public func makeAsyncIterator() -> Iterator {
            let (stream, continuation) = AsyncStream<Received>.makeStream()
            let token = Token(center.addObserver(forName: name, object: object, queue: nil) { continuation.yield(Received(notification: $0)) })
            continuation.onTermination = { [center] _ in center.removeObserver(token.observer) }
            return Iterator(received: stream.makeAsyncIterator())
        }

        /// Position in a sequence of notifications, which observes as long as it is held.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var received: AsyncStream<Received>.Iterator

            /// Waits for the next notification; nil when the task is cancelled.
            public mutating func next() async -> Notification? { await next(isolation: nil) }

            /// Waits for the next notification on an actor; nil when the task is cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
                await received.next(isolation: actor)?.notification
            }
        }
    }
}

/// Box that carries a notification between threads; it does not change once it is posted.
private struct Received: @unchecked Sendable {
    let notification: Notification
}

/// Box that carries an observer's token back to the center, its only use.
private struct Token: @unchecked Sendable {
    let observer: any NSObjectProtocol
    init(_ observer: any NSObjectProtocol) { self.observer = observer }
}

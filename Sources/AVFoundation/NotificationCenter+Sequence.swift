import Foundation
import Synchronization

extension NotificationCenter {
    /// The notifications of a name, and of `object` unless that is nil, from the making of an iterator on.
    public func notifications(named name: Notification.Name, object: (any AnyObject & Sendable)? = nil) -> Notifications {
        Notifications(center: self, name: name, object: object)
    }

    /// An endless sequence; what comes while nobody waits is kept.
    public final class Notifications: AsyncSequence, @unchecked Sendable {
        public typealias Element = Notification
        public typealias Failure = Never
        private let center: NotificationCenter
        private let name: Notification.Name
        private let object: (any AnyObject & Sendable)?

        init(center: NotificationCenter, name: Notification.Name, object: (any AnyObject & Sendable)?) {
            self.center = center
            self.name = name
            self.object = object
        }

        public func makeAsyncIterator() -> Iterator {
            let (stream, continuation) = AsyncStream<Received>.makeStream()
            let token = Token(center.addObserver(forName: name, object: object, queue: nil) { continuation.yield(Received(notification: $0)) })
            continuation.onTermination = { [center] _ in center.removeObserver(token.observer) }
            return Iterator(received: stream.makeAsyncIterator())
        }

        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var received: AsyncStream<Received>.Iterator

            public mutating func next() async -> Notification? { await next(isolation: nil) }

            public mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
                await received.next(isolation: actor)?.notification
            }
        }
    }
}

/// A notification is a value by the time it is posted.
private struct Received: @unchecked Sendable {
    let notification: Notification
}

/// Given to the center again, nothing else is done with it.
private struct Token: @unchecked Sendable {
    let observer: any NSObjectProtocol
    init(_ observer: any NSObjectProtocol) { self.observer = observer }
}

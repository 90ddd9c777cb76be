import Foundation

extension NotificationCenter {
    /// Publisher of the notifications of a name, and of `object` unless that is nil; a notification that is not asked for is lost.
    public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
        Publisher(center: self, name: name, object: object)
    }

    /// Publisher of notifications.
    public struct Publisher: Combine.Publisher {
        /// Type of the values.
        public typealias Output = Notification
        /// Type of failure: none.
        public typealias Failure = Never
        /// Centre that posts them.
        public let center: NotificationCenter
        /// Name of the notifications.
        public let name: Notification.Name
        /// Poster; nil for any.
        public let object: AnyObject?

        /// Attaches a subscriber, which observes until it cancels.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Notification, S.Failure == Never {
            let observer = Guarded<(any NSObjectProtocol)?>(nil)
            let center = Carried(value: center)
            let conduit = Carried(
                value: Conduit<Notification, Never>(subscriber, latest: nil) { _ in
                    if let token = observer.exchange(nil) { center.value.removeObserver(token) }
                })
            _ = observer.exchange(self.center.addObserver(forName: name, object: object, queue: nil) { conduit.value.offer($0) })
            subscriber.receive(subscription: conduit.value)
        }
    }
}

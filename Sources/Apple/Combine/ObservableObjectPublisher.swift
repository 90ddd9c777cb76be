/// Publisher of an object's changes.
public final class ObservableObjectPublisher: Publisher, @unchecked Sendable {
    /// Type of the values: none.
    public typealias Output = Void
    /// Type of failure: none.
    public typealias Failure = Never
    private let hub = Hub<Void, Never>()

    /// Makes a publisher without subscribers.
    public init() {}
    /// Announces a change.
    public func send() { hub.send(()) }
    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never { hub.attach(subscriber, latest: nil) }
}

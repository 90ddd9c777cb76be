/// Subject with a value, which a new subscriber gets first. A subscriber that asks for no more gets the newest value when it asks again.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
    private let hub = Hub<Output, Failure>()
    private let current: Guarded<Output>

    /// Makes a subject with a value.
    public init(_ value: Output) { current = Guarded(value) }

    /// Newest value; setting sends it.
    public var value: Output {
        get { current.withLock { $0 } }
        set { send(newValue) }
    }

    /// Stores a value and hands it to every subscriber that asks for one; without effect after the end.
    public func send(_ value: Output) {
        guard !hub.isEnded else { return }
        _ = current.exchange(value)
        hub.send(value)
    }
    /// Ends the values.
    public func send(completion: Subscribers.Completion<Failure>) { hub.send(completion: completion) }
    /// Asks a subscription for all its values, and holds it.
    public func send(subscription: any Subscription) { hub.hold(subscription) }
    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        hub.attach(subscriber, latest: { [current] in current.withLock { $0 } })
    }
}

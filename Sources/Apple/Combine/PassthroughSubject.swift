/// Subject without a value of its own; a value that a subscriber did not ask for is lost to it.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
    private let hub = Hub<Output, Failure>()

    /// Makes a subject without subscribers.
    public init() {}
    /// Hands a value to every subscriber that asks for one.
    public func send(_ value: Output) { hub.send(value) }
    /// Ends the values.
    public func send(completion: Subscribers.Completion<Failure>) { hub.send(completion: completion) }
    /// Asks a subscription for all its values, and holds it.
    public func send(subscription: any Subscription) { hub.hold(subscription) }
    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure { hub.attach(subscriber, latest: nil) }
}

/// Publisher that hands on what is sent to it.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
    /// Hands a value to every subscriber that asks for one.
    func send(_ value: Output)
    /// Ends the values.
    func send(completion: Subscribers.Completion<Failure>)
    /// Attaches a subscription that brings values.
    func send(subscription: any Subscription)
}

extension Subject where Output == Void {
    /// Sends an event without a value.
    public func send() { send(()) }
}

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

/// Link of one subscriber to its publisher.
public protocol Subscription: Cancellable {
    /// Adds to the number of values that may be delivered.
    func request(_ demand: Subscribers.Demand)
}

/// Subscriptions without a publisher.
public enum Subscriptions {
    /// Subscription that delivers nothing.
    public static var empty: any Subscription { Empty() }

    private struct Empty: Subscription {
        func request(_ demand: Subscribers.Demand) {}
        func cancel() {}
    }
}

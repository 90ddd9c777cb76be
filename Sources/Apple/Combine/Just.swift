/// Publisher of one value.
public struct Just<Output>: Publisher {
    /// Type of failure: none.
    public typealias Failure = Never
    /// The value.
    public let output: Output

    /// Makes a publisher of a value.
    public init(_ output: Output) { self.output = output }
    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        subscriber.receive(subscription: Listing(CollectionOfOne(output), for: subscriber))
    }
}

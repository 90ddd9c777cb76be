/// Publisher that is made anew for each subscriber.
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
    /// Type of the values.
    public typealias Output = DeferredPublisher.Output
    /// Type of failure.
    public typealias Failure = DeferredPublisher.Failure
    /// Maker of the publisher.
    public let createPublisher: () -> DeferredPublisher

    /// Makes a publisher of a closure.
    public init(createPublisher: @escaping () -> DeferredPublisher) { self.createPublisher = createPublisher }
    /// Attaches a subscriber to a new publisher.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        createPublisher().subscribe(subscriber)
    }
}

/// Publisher of an error.
public struct Fail<Output, Failure: Error>: Publisher {
    /// The error.
    public let error: Failure

    /// Makes a publisher of an error.
    public init(error: Failure) { self.error = error }
    /// Makes a publisher of an error, of values of a type.
    public init(outputType: Output.Type, failure: Failure) { error = failure }
    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        subscriber.receive(subscription: Subscriptions.empty)
        subscriber.receive(completion: .failure(error))
    }
}

/// Source of values over time.
public protocol Publisher<Output, Failure> {
    /// Type of the values.
    associatedtype Output
    /// Type of the error that may end them; `Never` where none does.
    associatedtype Failure: Error
    /// Attaches a subscriber; called by `subscribe(_:)`.
    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

/// Types of publishers, most of them operators.
public enum Publishers {}

extension Publisher {
    /// Attaches a subscriber.
    public func subscribe<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure { receive(subscriber: subscriber) }

    /// Attaches a subject, which hands the values on; they end with the returned activity.
    public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable where S.Output == Output, S.Failure == Failure {
        sink {
            subject.send(completion: $0)
        } receiveValue: {
            subject.send($0)
        }
    }

    /// Hides the type of the publisher.
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}

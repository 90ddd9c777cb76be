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

/// Publisher whose type is hidden.
public struct AnyPublisher<Output, Failure: Error>: Publisher {
    private let attach: (Attachment<Output, Failure>) -> Void

    /// Wraps a publisher.
    public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
        attach = { publisher.subscribe($0) }
    }

    /// Attaches a subscriber to the wrapped publisher.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        attach(Attachment(subscriber))
    }
}

/// Subscriber of closures.
struct Attachment<Input, Failure: Error>: Subscriber {
    let onSubscription: (any Subscription) -> Void
    let onValue: (Input) -> Subscribers.Demand
    let onCompletion: (Subscribers.Completion<Failure>) -> Void

    func receive(subscription: any Subscription) { onSubscription(subscription) }
    func receive(_ input: Input) -> Subscribers.Demand { onValue(input) }
    func receive(completion: Subscribers.Completion<Failure>) { onCompletion(completion) }
}

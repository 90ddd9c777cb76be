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

/// Publisher without values.
public struct Empty<Output, Failure: Error>: Publisher {
    /// Whether it ends at once; else never.
    public let completeImmediately: Bool

    /// Makes a publisher without values.
    public init(completeImmediately: Bool = true) { self.completeImmediately = completeImmediately }
    /// Makes a publisher without values, of types.
    public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type) {
        self.completeImmediately = completeImmediately
    }
    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        subscriber.receive(subscription: Subscriptions.empty)
        if completeImmediately { subscriber.receive(completion: .finished) }
    }
}

extension Publishers {
    /// Publisher of a sequence's elements.
    public struct Sequence<Elements: Swift.Sequence, Failure: Error>: Publisher {
        /// Type of the values.
        public typealias Output = Elements.Element
        /// The values.
        public let sequence: Elements

        /// Makes a publisher of a sequence.
        public init(sequence: Elements) { self.sequence = sequence }
        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            subscriber.receive(subscription: Listing(sequence, for: subscriber))
        }
    }
}

extension Sequence {
    /// Publisher of the elements.
    public var publisher: Publishers.Sequence<Self, Never> { Publishers.Sequence(sequence: self) }
}

/// Subscription that hands on a sequence's elements as they are asked for.
private final class Listing<Elements: Sequence, Failure: Error>: Subscription {
    private struct State {
        var iterator: Elements.Iterator
        var next: Elements.Element?
        var demand = Subscribers.Demand.none
        var isHandingOn = false
        var subscriber: Attachment<Elements.Element, Failure>?
    }

    private enum Step {
        case value(Elements.Element, Attachment<Elements.Element, Failure>)
        case end(Attachment<Elements.Element, Failure>)
    }

    private let state: Guarded<State>

    init<S: Subscriber>(_ elements: Elements, for subscriber: S) where S.Input == Elements.Element, S.Failure == Failure {
        var iterator = elements.makeIterator()
        let first = iterator.next()
        state = Guarded(State(iterator: iterator, next: first, subscriber: Attachment(subscriber)))
    }

    func request(_ demand: Subscribers.Demand) {
        let begins = state.withLock { state in
            state.demand += demand
            // A request from within the subscriber is met by the loop below it.
            defer { state.isHandingOn = true }
            return !state.isHandingOn
        }
        guard begins else { return }
        while let step {
            switch step {
            case .value(let value, let subscriber):
                let more = subscriber.receive(value)
                state.withLock { $0.demand += more }
            case .end(let subscriber): subscriber.receive(completion: .finished)
            }
        }
    }

    private var step: Step? {
        state.withLock { state in
            guard let subscriber = state.subscriber else { return nil }
            guard let value = state.next else {
                state.subscriber = nil
                return .end(subscriber)
            }
            guard state.demand > 0 else {
                state.isHandingOn = false
                return nil
            }
            state.demand -= 1
            state.next = state.iterator.next()
            return .value(value, subscriber)
        }
    }

    func cancel() { state.withLock { $0.subscriber = nil } }
}

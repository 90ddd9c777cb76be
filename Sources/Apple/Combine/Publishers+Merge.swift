extension Publishers {
    /// Publisher of several publishers' values as they come; it ends with the last of them, or with the first error.
    ///
    /// One value of each publisher waits until the subscriber asks for it.
    public struct MergeMany<Upstream: Publisher>: Publisher {
        /// Type of the values.
        public typealias Output = Upstream.Output
        /// Type of failure.
        public typealias Failure = Upstream.Failure
        /// Sources of the values.
        public let publishers: [Upstream]

        /// Makes a publisher of several.
        public init(_ upstream: Upstream...) { publishers = upstream }
        /// Makes a publisher of a sequence's.
        public init<S: Swift.Sequence>(_ upstream: S) where S.Element == Upstream { publishers = Array(upstream) }

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let merging = Merging<Output, Failure>(Attachment(subscriber), count: publishers.count)
            subscriber.receive(subscription: merging)
            for (index, publisher) in publishers.enumerated() { publisher.subscribe(merging.side(index)) }
            if publishers.isEmpty { subscriber.receive(completion: .finished) }
        }
    }
}

extension Publisher {
    /// Joins the values of others of the same types.
    public func merge<P: Publisher>(with others: P...) -> Publishers.MergeMany<AnyPublisher<Output, Failure>>
    where P.Output == Output, P.Failure == Failure {
        Publishers.MergeMany([eraseToAnyPublisher()] + others.map { $0.eraseToAnyPublisher() })
    }
    /// Joins the values of two others.
    public func merge<B: Publisher, C: Publisher>(with b: B, _ c: C) -> Publishers.MergeMany<AnyPublisher<Output, Failure>>
    where B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure {
        Publishers.MergeMany([eraseToAnyPublisher(), b.eraseToAnyPublisher(), c.eraseToAnyPublisher()])
    }
    /// Joins the values of three others.
    public func merge<B: Publisher, C: Publisher, D: Publisher>(
        with b: B, _ c: C, _ d: D
    ) -> Publishers.MergeMany<AnyPublisher<Output, Failure>>
    where B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output, D.Failure == Failure {
        Publishers.MergeMany([eraseToAnyPublisher(), b.eraseToAnyPublisher(), c.eraseToAnyPublisher(), d.eraseToAnyPublisher()])
    }
}

/// Subscription to several publishers at once.
private final class Merging<Output, Failure: Error>: Subscription, @unchecked Sendable {
    private struct State {
        var subscriber: Attachment<Output, Failure>?
        var demand = Subscribers.Demand.none
        var upstreams: [(any Subscription)?]
        /// Value of each publisher that was not asked for yet.
        var held: [Output?]
        /// Publishers that have ended.
        var ended: Set<Int> = []
    }

    private let state: Guarded<State>

    init(_ subscriber: Attachment<Output, Failure>, count: Int) {
        state = Guarded(
            State(subscriber: subscriber, upstreams: Array(repeating: nil, count: count), held: Array(repeating: nil, count: count)))
    }

    func side(_ index: Int) -> Attachment<Output, Failure> {
        Attachment(
            onSubscription: { subscription in
                self.state.withLock { $0.upstreams[index] = subscription }
                subscription.request(.max(1))
            },
            onValue: { self.receive($0, from: index) },
            onCompletion: { self.receive($0, from: index) })
    }

    private func receive(_ value: Output, from index: Int) -> Subscribers.Demand {
        let subscriber = state.withLock { state -> Attachment<Output, Failure>? in
            guard state.subscriber != nil, state.demand > 0 else {
                state.held[index] = state.subscriber == nil ? nil : value
                return nil
            }
            state.demand -= 1
            return state.subscriber
        }
        guard let subscriber else { return .none }
        let more = subscriber.receive(value)
        if more > 0 { request(more) }
        return .max(1)
    }

    private func receive(_ completion: Subscribers.Completion<Failure>, from index: Int) {
        if case .failure = completion {
            let last = take()
            for (other, upstream) in last.upstreams.enumerated() where other != index { upstream?.cancel() }
            last.subscriber?.receive(completion: completion)
            return
        }
        state.withLock { _ = $0.ended.insert(index) }
        endIfDone()
    }

    /// Ends the values once every publisher has ended and no value waits.
    private func endIfDone() {
        let subscriber = state.withLock { state -> Attachment<Output, Failure>? in
            guard state.ended.count == state.upstreams.count, state.held.allSatisfy({ $0 == nil }) else { return nil }
            defer { state.subscriber = nil }
            return state.subscriber
        }
        subscriber?.receive(completion: .finished)
    }

    func request(_ demand: Subscribers.Demand) {
        state.withLock { $0.demand += demand }
        while let (value, subscriber, upstream) = heldValue {
            let more = subscriber.receive(value)
            state.withLock { $0.demand += more }
            upstream?.request(.max(1))
        }
        endIfDone()
    }

    private var heldValue: (Output, Attachment<Output, Failure>, (any Subscription)?)? {
        state.withLock { state in
            guard let subscriber = state.subscriber, state.demand > 0, let index = state.held.firstIndex(where: { $0 != nil }),
                let value = state.held[index].take()
            else { return nil }
            state.demand -= 1
            return (value, subscriber, state.upstreams[index])
        }
    }

    func cancel() {
        for upstream in take().upstreams { upstream?.cancel() }
    }

    private func take() -> State { state.exchange(State(upstreams: [], held: [])) }
}

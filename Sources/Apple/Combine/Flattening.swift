/// Subscription to publishers that come as values of another one.
///
/// One value of each publisher waits until the subscriber asks for it.
final class Flattening<Output, Failure: Error>: Subscription, @unchecked Sendable {
    private struct State {
        var subscriber: Attachment<Output, Failure>?
        var demand = Subscribers.Demand.none
        var upstream: (any Subscription)?
        var hasUpstreamEnded = false
        /// Publishers that have not ended, by number; nil until the subscription of one has come.
        var inner: [Int: (any Subscription)?] = [:]
        /// Values that were not asked for yet, with the number of their publisher.
        var held: [(number: Int, value: Output)] = []
        var nextNumber = 0
    }

    private let state: Guarded<State>
    /// Publishers at a time; nil: the newest alone, which cancels the one before.
    private let limit: Subscribers.Demand?

    init(_ subscriber: Attachment<Output, Failure>, limit: Subscribers.Demand?) {
        state = Guarded(State(subscriber: subscriber))
        self.limit = limit
    }

    /// Subscriber of the publisher of publishers.
    func outer<P: Publisher>(_ subscriber: some Subscriber<Output, Failure>) -> Attachment<P, Failure>
    where P.Output == Output, P.Failure == Failure {
        Attachment(
            onSubscription: { subscription in
                self.state.withLock { $0.upstream = subscription }
                subscriber.receive(subscription: self)
                subscription.request(self.limit ?? .unlimited)
            },
            onValue: { publisher in
                self.attach(publisher)
                return .none
            },
            onCompletion: { completion in
                if case .failure = completion { return self.fail(completion) }
                self.state.withLock { $0.hasUpstreamEnded = true }
                self.endIfDone()
            })
    }

    private func attach<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
        let (number, previous) = state.withLock { state in
            state.nextNumber += 1
            let previous = limit == nil ? state.inner.values.compactMap { $0 } : []
            if limit == nil { (state.inner, state.held) = ([:], []) }
            state.inner[state.nextNumber] = .some(nil)
            return (state.nextNumber, previous)
        }
        for subscription in previous { subscription.cancel() }
        publisher.subscribe(
            Attachment<Output, Failure>(
                onSubscription: { subscription in
                    let isOpen = self.state.withLock { state in
                        let isOpen = state.subscriber != nil && state.inner[number] != nil
                        if isOpen { state.inner[number] = .some(subscription) }
                        return isOpen
                    }
                    if isOpen { subscription.request(.max(1)) } else { subscription.cancel() }
                },
                onValue: { self.receive($0, from: number) },
                onCompletion: { self.receive($0, from: number) }))
    }

    private func receive(_ value: Output, from number: Int) -> Subscribers.Demand {
        let subscriber = state.withLock { state -> Attachment<Output, Failure>? in
            guard state.subscriber != nil, state.inner[number] != nil else { return nil }
            guard state.demand > 0 else {
                state.held.append((number, value))
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

    private func receive(_ completion: Subscribers.Completion<Failure>, from number: Int) {
        if case .failure = completion {
            if state.withLock({ $0.inner[number] != nil }) { fail(completion) }
            return
        }
        let upstream = state.withLock { state -> (any Subscription)? in
            guard state.inner[number] != nil else { return nil }
            // Values that wait outlive their publisher.
            state.inner[number] = nil
            return limit == nil || limit == .unlimited ? nil : state.upstream
        }
        upstream?.request(.max(1))
        endIfDone()
    }

    private func fail(_ completion: Subscribers.Completion<Failure>) {
        let last = state.exchange(State())
        last.upstream?.cancel()
        for subscription in last.inner.values { subscription?.cancel() }
        last.subscriber?.receive(completion: completion)
    }

    /// Ends the values once all publishers have ended and no value waits.
    private func endIfDone() {
        let subscriber = state.withLock { state -> Attachment<Output, Failure>? in
            guard state.hasUpstreamEnded, state.inner.isEmpty, state.held.isEmpty else { return nil }
            defer { state.subscriber = nil }
            return state.subscriber
        }
        subscriber?.receive(completion: .finished)
    }

    func request(_ demand: Subscribers.Demand) {
        state.withLock { $0.demand += demand }
        while let (value, subscriber, subscription) = heldValue {
            let more = subscriber.receive(value)
            state.withLock { $0.demand += more }
            subscription?.request(.max(1))
        }
        endIfDone()
    }

    private var heldValue: (Output, Attachment<Output, Failure>, (any Subscription)?)? {
        state.withLock { state in
            guard let subscriber = state.subscriber, state.demand > 0, !state.held.isEmpty else { return nil }
            state.demand -= 1
            let (number, value) = state.held.removeFirst()
            return (value, subscriber, state.inner[number] ?? nil)
        }
    }

    func cancel() {
        let last = state.exchange(State())
        last.upstream?.cancel()
        for subscription in last.inner.values { subscription?.cancel() }
    }
}

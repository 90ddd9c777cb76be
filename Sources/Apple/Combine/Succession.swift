/// Subscription to one publisher after another; demand that one leaves over passes to the next.
final class Succession<Output, Failure: Error>: Subscription, @unchecked Sendable {
    private struct State {
        var subscriber: Attachment<Output, Failure>?
        var upstream: (any Subscription)?
        var demand = Subscribers.Demand.none
    }

    private let state: Guarded<State>

    init<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
        state = Guarded(State(subscriber: Attachment(subscriber)))
        subscriber.receive(subscription: self)
    }

    /// Hands on the values of a publisher; `onEnd` says what follows it.
    func follow<P: Publisher>(_ publisher: P, onEnd: @escaping (Subscribers.Completion<P.Failure>) -> Void) where P.Output == Output {
        state.withLock { $0.upstream = nil }
        publisher.subscribe(
            Attachment<Output, P.Failure>(
                onSubscription: { subscription in
                    let demand = self.state.withLock { state -> Subscribers.Demand? in
                        guard state.subscriber != nil else { return nil }
                        state.upstream = subscription
                        return state.demand
                    }
                    guard let demand else { return subscription.cancel() }
                    if demand > 0 { subscription.request(demand) }
                },
                onValue: { value in
                    let subscriber = self.state.withLock { state in
                        state.demand -= 1
                        return state.subscriber
                    }
                    let more = subscriber?.receive(value) ?? .none
                    self.state.withLock { $0.demand += more }
                    return more
                },
                onCompletion: onEnd))
    }

    func end(_ completion: Subscribers.Completion<Failure>) { state.exchange(State()).subscriber?.receive(completion: completion) }

    func request(_ demand: Subscribers.Demand) {
        let upstream = state.withLock { state in
            state.demand += demand
            return state.upstream
        }
        upstream?.request(demand)
    }

    func cancel() { state.exchange(State()).upstream?.cancel() }
}

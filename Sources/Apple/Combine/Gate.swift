/// Subscription in front of a scheduler: nothing passes after it was cancelled.
final class Gate<Output, Failure: Error>: Subscription, @unchecked Sendable {
    private struct State {
        var subscriber: Attachment<Output, Failure>?
        var upstream: (any Subscription)?
        /// Demand that is not passed on; nil where it is.
        var demand: Subscribers.Demand?
    }

    private let state: Guarded<State>

    init(_ subscriber: Attachment<Output, Failure>) { state = Guarded(State(subscriber: subscriber)) }

    /// Begins, with demand passed on.
    func open(_ upstream: any Subscription, _ subscriber: some Subscriber<Output, Failure>) {
        state.withLock { $0.upstream = upstream }
        subscriber.receive(subscription: self)
    }

    /// Begins, with every value asked for and those left out that the subscriber does not want.
    func openUnlimited(_ upstream: any Subscription, _ subscriber: some Subscriber<Output, Failure>) {
        state.withLock { state in
            state.upstream = upstream
            state.demand = Subscribers.Demand.none
        }
        subscriber.receive(subscription: self)
        upstream.request(.unlimited)
    }

    func send(_ value: Output) -> Subscribers.Demand { state.withLock { $0.subscriber }?.receive(value) ?? .none }

    /// Hands on a value if the subscriber asks for one.
    func offer(_ value: Output) {
        let isWanted = state.withLock { state in
            guard let demand = state.demand, demand > 0 else { return false }
            state.demand = demand - 1
            return true
        }
        if isWanted { request(send(value)) }
    }

    func end(_ completion: Subscribers.Completion<Failure>) {
        state.exchange(State()).subscriber?.receive(completion: completion)
    }

    func request(_ demand: Subscribers.Demand) {
        guard demand > 0 else { return }
        let upstream = state.withLock { state -> (any Subscription)? in
            guard let own = state.demand else { return state.upstream }
            state.demand = own + demand
            return nil
        }
        upstream?.request(demand)
    }

    func cancel() { state.exchange(State()).upstream?.cancel() }
}

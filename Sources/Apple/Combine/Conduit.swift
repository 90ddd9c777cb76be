/// Subscription to a hub: the demand of one subscriber.
final class Conduit<Output, Failure: Error>: Subscription {
    private struct State {
        var demand = Subscribers.Demand.none
        /// Whether the subscriber has missed a value, or got none yet.
        var isBehind: Bool
        var subscriber: Attachment<Output, Failure>?
    }

    private let state: Guarded<State>
    private let latest: (() -> Output)?
    private let leave: (Conduit) -> Void

    init<S: Subscriber>(_ subscriber: S, latest: (() -> Output)?, leave: @escaping (Conduit) -> Void)
    where S.Input == Output, S.Failure == Failure {
        state = Guarded(State(isBehind: latest != nil, subscriber: Attachment(subscriber)))
        self.latest = latest
        self.leave = leave
    }

    /// Hands on a value if the subscriber asks for one.
    func offer(_ value: Output) {
        let subscriber = state.withLock { state -> Attachment<Output, Failure>? in
            guard state.demand > 0 else {
                state.isBehind = latest != nil
                return nil
            }
            state.demand -= 1
            state.isBehind = false
            return state.subscriber
        }
        guard let subscriber else { return }
        let more = subscriber.receive(value)
        if more > 0 { request(more) }
    }

    /// Adds to the demand, and catches up with the newest value.
    func request(_ demand: Subscribers.Demand) {
        let isBehind = state.withLock { state in
            state.demand += demand
            return state.isBehind && state.demand > 0
        }
        if isBehind, let latest { offer(latest()) }
    }

    func end(_ completion: Subscribers.Completion<Failure>) {
        let subscriber = state.withLock { state in
            defer { state.subscriber = nil }
            return state.subscriber
        }
        subscriber?.receive(completion: completion)
    }

    func cancel() {
        // Let go after the lock: a subscriber that ends with it may call back.
        let last = state.withLock { state in
            defer { state.subscriber = nil }
            return state.subscriber
        }
        withExtendedLifetime(last) { leave(self) }
    }
}

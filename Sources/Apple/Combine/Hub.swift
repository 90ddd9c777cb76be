/// Subscribers of one source, and its end.
final class Hub<Output, Failure: Error>: @unchecked Sendable {
    private struct State {
        var conduits: [Conduit<Output, Failure>] = []
        var completion: Subscribers.Completion<Failure>?
        var upstream: [any Subscription] = []
    }

    private let state = Guarded(State())

    var isEnded: Bool { state.withLock { $0.completion != nil } }

    /// Attaches a subscriber. `latest`: value to begin with and to catch up with; nil for a source whose values are lost where nobody asks.
    func attach<S: Subscriber>(_ subscriber: S, latest: (() -> Output)?) where S.Input == Output, S.Failure == Failure {
        let conduit = Conduit(subscriber, latest: latest) { [weak self] conduit in
            self?.state.withLock { $0.conduits.removeAll { $0 === conduit } }
        }
        let completion = state.withLock { state in
            if state.completion == nil { state.conduits.append(conduit) }
            return state.completion
        }
        subscriber.receive(subscription: completion == nil ? conduit : Subscriptions.empty)
        if let completion { subscriber.receive(completion: completion) }
    }

    func send(_ value: Output) {
        for conduit in state.withLock({ $0.completion == nil ? $0.conduits : [] }) { conduit.offer(value) }
    }

    func send(completion: Subscribers.Completion<Failure>) {
        let conduits = state.withLock { state -> [Conduit<Output, Failure>] in
            guard state.completion == nil else { return [] }
            state.completion = completion
            state.upstream = []
            defer { state.conduits = [] }
            return state.conduits
        }
        for conduit in conduits { conduit.end(completion) }
    }

    func hold(_ subscription: any Subscription) {
        state.withLock { $0.upstream.append(subscription) }
        subscription.request(.unlimited)
    }
}

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
        state.withLock { $0.subscriber = nil }
        leave(self)
    }
}

extension Attachment {
    /// Wraps a subscriber.
    init<S: Subscriber>(_ subscriber: S) where S.Input == Input, S.Failure == Failure {
        self.init(
            onSubscription: { subscriber.receive(subscription: $0) }, onValue: { subscriber.receive($0) },
            onCompletion: { subscriber.receive(completion: $0) })
    }
}

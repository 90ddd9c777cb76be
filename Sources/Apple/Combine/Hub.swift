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

/// Subscription to several publishers at once.
final class Merging<Output, Failure: Error>: Subscription, @unchecked Sendable {
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
                let isOpen = self.state.withLock { state in
                    if state.subscriber != nil { state.upstreams[index] = subscription }
                    return state.subscriber != nil
                }
                if isOpen { subscription.request(.max(1)) } else { subscription.cancel() }
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

    /// Lets everything go; publishers that come later find no subscriber.
    private func take() -> State {
        let count = state.withLock { $0.upstreams.count }
        return state.exchange(State(upstreams: Array(repeating: nil, count: count), held: Array(repeating: nil, count: count)))
    }
}

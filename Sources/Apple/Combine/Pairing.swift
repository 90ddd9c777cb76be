/// Subscription to two publishers, whose values go on in pairs: the newest of both, or one of each in order.
final class Pairing<A, B, Failure: Error>: Subscription, @unchecked Sendable {
    private struct State {
        var subscriber: Attachment<(A, B), Failure>?
        var demand = Subscribers.Demand.none
        var upstreams: [any Subscription] = []
        /// Values that wait: at most the newest one, unless they are zipped.
        var left: [A] = []
        var right: [B] = []
        var isLeftEnded = false
        var isRightEnded = false
    }

    private let state: Guarded<State>
    private let isZip: Bool

    init(_ subscriber: Attachment<(A, B), Failure>, isZip: Bool) {
        state = Guarded(State(subscriber: subscriber))
        self.isZip = isZip
    }

    var first: Attachment<A, Failure> {
        Attachment(
            onSubscription: { self.hold($0) },
            onValue: { value in
                self.offer { $0.left = self.isZip ? $0.left + [value] : [value] }
                return .none
            },
            onCompletion: { completion in self.end(completion) { $0.isLeftEnded = true } })
    }

    var second: Attachment<B, Failure> {
        Attachment(
            onSubscription: { self.hold($0) },
            onValue: { value in
                self.offer { $0.right = self.isZip ? $0.right + [value] : [value] }
                return .none
            },
            onCompletion: { completion in self.end(completion) { $0.isRightEnded = true } })
    }

    private func hold(_ subscription: any Subscription) {
        let isOpen = state.withLock { state in
            state.upstreams.append(subscription)
            return state.subscriber != nil
        }
        if isOpen { subscription.request(.unlimited) } else { subscription.cancel() }
    }

    private func offer(_ store: (inout State) -> Void) {
        let pair = state.withLock { state -> (A, B)? in
            store(&state)
            return isZip ? nil : takePair(&state)
        }
        if isZip { return handOn() }
        guard let pair, let subscriber = state.withLock({ $0.subscriber }) else { return }
        let more = subscriber.receive(pair)
        state.withLock { $0.demand += more }
    }

    private func takePair(_ state: inout State) -> (A, B)? {
        guard state.subscriber != nil, state.demand > 0, let left = state.left.first, let right = state.right.first else { return nil }
        state.demand -= 1
        if isZip {
            state.left.removeFirst()
            state.right.removeFirst()
        }
        return (left, right)
    }

    /// Hands on zipped pairs as long as they are asked for.
    private func handOn() {
        while let (pair, subscriber) = state.withLock({ state in takePair(&state).flatMap { pair in state.subscriber.map { (pair, $0) } } }) {
            let more = subscriber.receive(pair)
            state.withLock { $0.demand += more }
        }
        endIfDone()
    }

    private func end(_ completion: Subscribers.Completion<Failure>, _ note: (inout State) -> Void) {
        if case .failure = completion {
            let last = state.exchange(State())
            for upstream in last.upstreams { upstream.cancel() }
            last.subscriber?.receive(completion: completion)
            return
        }
        state.withLock { note(&$0) }
        endIfDone()
    }

    /// Ends the pairs once no further one can come.
    private func endIfDone() {
        let last = state.withLock { state -> State? in
            let isDone =
                isZip
                ? state.isLeftEnded && state.left.isEmpty || state.isRightEnded && state.right.isEmpty
                : state.isLeftEnded && state.isRightEnded || state.isLeftEnded && state.left.isEmpty || state.isRightEnded && state.right.isEmpty
            guard isDone, state.subscriber != nil else { return nil }
            defer { state.subscriber = nil }
            return state
        }
        guard let last else { return }
        for upstream in last.upstreams { upstream.cancel() }
        last.subscriber?.receive(completion: .finished)
    }

    func request(_ demand: Subscribers.Demand) {
        state.withLock { $0.demand += demand }
        if isZip { handOn() }
    }

    func cancel() {
        for upstream in state.exchange(State()).upstreams { upstream.cancel() }
    }
}

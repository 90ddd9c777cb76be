/// Subscriber of one value at a time.
final class Inbox<Input, Failure: Error>: Subscriber, @unchecked Sendable {
    private struct State {
        var subscription: (any Subscription)?
        /// Values asked for before the subscription came.
        var demand = 0
        var waiting: [CheckedContinuation<Carried<Result<Input, Failure>?>, Never>] = []
        var isEnded = false
        var error: Failure?
    }

    private let state = Guarded(State())

    func receive(subscription: any Subscription) {
        let demand = state.withLock { state in
            state.subscription = subscription
            return state.demand
        }
        if demand > 0 { subscription.request(.max(demand)) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        let waiting = state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
        waiting?.resume(returning: Carried(value: .success(input)))
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        let waiting = state.withLock { state in
            state.isEnded = true
            state.subscription = nil
            if case .failure(let error) = completion, state.waiting.isEmpty { state.error = error }
            defer { state.waiting = [] }
            return state.waiting
        }
        for (index, continuation) in waiting.enumerated() {
            if case .failure(let error) = completion, index == 0 {
                continuation.resume(returning: Carried(value: .failure(error)))
            } else {
                continuation.resume(returning: Carried(value: nil))
            }
        }
    }

    func cancel() {
        let last = state.withLock { state in
            state.isEnded = true
            defer { (state.subscription, state.waiting) = (nil, []) }
            return state
        }
        last.subscription?.cancel()
        for continuation in last.waiting { continuation.resume(returning: Carried(value: nil)) }
    }

    func next() async -> Result<Input, Failure>? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (subscription, answer) = state.withLock { state -> ((any Subscription)?, Result<Input, Failure>??) in
                    if state.isEnded {
                        defer { state.error = nil }
                        return (nil, .some(state.error.map { .failure($0) }))
                    }
                    state.waiting.append(continuation)
                    if state.subscription == nil { state.demand += 1 }
                    return (state.subscription, .none)
                }
                if let answer { continuation.resume(returning: Carried(value: answer)) }
                subscription?.request(.max(1))
            }
        } onCancel: {
            cancel()
        }
        .value
    }
}

/// Subscriber in the middle of a chain, of an operator that answers each value at once.
///
/// Demand passes through; a value that is not handed on is asked for again.
final class Relay<Input, Output, Failure: Error, NewFailure: Error>: Subscriber, Subscription {
    /// Answer to a value.
    enum Answer {
        case send(Output)
        case skip
        /// Last value, if any, and the end.
        case end(Output?, Subscribers.Completion<NewFailure>)
    }

    private struct State {
        var subscriber: Attachment<Output, NewFailure>?
        var upstream: (any Subscription)?
    }

    private let state: Guarded<State>
    private let answer: (Input) -> Answer
    private let convert: (Subscribers.Completion<Failure>) -> (Output?, Subscribers.Completion<NewFailure>)

    init<S: Subscriber>(
        _ subscriber: S, completion convert: @escaping (Subscribers.Completion<Failure>) -> (Output?, Subscribers.Completion<NewFailure>),
        _ answer: @escaping (Input) -> Answer
    ) where S.Input == Output, S.Failure == NewFailure {
        state = Guarded(State(subscriber: Attachment(subscriber)))
        self.convert = convert
        self.answer = answer
    }

    private var subscriber: Attachment<Output, NewFailure>? { state.withLock { $0.subscriber } }

    func receive(subscription: any Subscription) {
        state.withLock { $0.upstream = subscription }
        subscriber?.receive(subscription: self)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        guard let subscriber else { return .none }
        switch answer(input) {
        case .send(let output): return subscriber.receive(output)
        case .skip: return .max(1)
        case .end(let output, let completion):
            finish(output, completion)?.cancel()
            return .none
        }
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        let (output, end) = convert(completion)
        _ = finish(output, end)
    }

    /// Ends the values; returns the subscription that brought them.
    private func finish(_ output: Output?, _ completion: Subscribers.Completion<NewFailure>) -> (any Subscription)? {
        let last = state.exchange(State())
        if let output { _ = last.subscriber?.receive(output) }
        last.subscriber?.receive(completion: completion)
        return last.upstream
    }

    func request(_ demand: Subscribers.Demand) { state.withLock { $0.upstream }?.request(demand) }
    func cancel() { state.exchange(State()).upstream?.cancel() }
}

extension Relay where Failure == NewFailure {
    /// Makes the relay of an operator that leaves the end as it is.
    convenience init<S: Subscriber>(_ subscriber: S, _ answer: @escaping (Input) -> Answer) where S.Input == Output, S.Failure == Failure {
        self.init(subscriber, completion: { (nil, $0) }, answer)
    }
}

/// Subscription that hands on a sequence's elements as they are asked for.
final class Listing<Elements: Sequence, Failure: Error>: Subscription {
    private struct State {
        var iterator: Elements.Iterator
        var next: Elements.Element?
        var demand = Subscribers.Demand.none
        var isHandingOn = false
        var subscriber: Attachment<Elements.Element, Failure>?
    }

    private enum Step {
        case value(Elements.Element, Attachment<Elements.Element, Failure>)
        case end(Attachment<Elements.Element, Failure>)
    }

    private let state: Guarded<State>

    init<S: Subscriber>(_ elements: Elements, for subscriber: S) where S.Input == Elements.Element, S.Failure == Failure {
        var iterator = elements.makeIterator()
        let first = iterator.next()
        state = Guarded(State(iterator: iterator, next: first, subscriber: Attachment(subscriber)))
    }

    func request(_ demand: Subscribers.Demand) {
        let begins = state.withLock { state in
            state.demand += demand
            // A request from within the subscriber is met by the loop below it.
            defer { state.isHandingOn = true }
            return !state.isHandingOn
        }
        guard begins else { return }
        while let step {
            switch step {
            case .value(let value, let subscriber):
                let more = subscriber.receive(value)
                state.withLock { $0.demand += more }
            case .end(let subscriber): subscriber.receive(completion: .finished)
            }
        }
    }

    private var step: Step? {
        state.withLock { state in
            guard let subscriber = state.subscriber else { return nil }
            guard let value = state.next else {
                state.subscriber = nil
                return .end(subscriber)
            }
            guard state.demand > 0 else {
                state.isHandingOn = false
                return nil
            }
            state.demand -= 1
            state.next = state.iterator.next()
            return .value(value, subscriber)
        }
    }

    func cancel() {
        // Let go after the lock: a subscriber that ends with it may call back.
        _ = state.withLock { state in
            defer { state.subscriber = nil }
            return state.subscriber
        }
    }
}

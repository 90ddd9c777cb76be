extension Subscribers {
    /// End of a chain that asks for every value and hands it to a closure.
    public final class Sink<Input, Failure: Error>: Subscriber, Cancellable {
        private enum State {
            case waiting
            case attached(any Subscription)
            case ended
        }

        private struct Handlers {
            let value: (Input) -> Void
            let completion: (Completion<Failure>) -> Void
        }

        private let state = Guarded(State.waiting)
        private let handlers: Guarded<Handlers?>

        /// Makes a sink of two closures, which are freed at the end.
        public init(receiveCompletion: @escaping (Completion<Failure>) -> Void, receiveValue: @escaping (Input) -> Void) {
            handlers = Guarded(Handlers(value: receiveValue, completion: receiveCompletion))
        }

        /// Asks for every value; a second subscription is cancelled.
        public func receive(subscription: any Subscription) {
            let isFirst = state.withLock { state in
                guard case .waiting = state else { return false }
                state = .attached(subscription)
                return true
            }
            if isFirst { subscription.request(.unlimited) } else { subscription.cancel() }
        }

        /// Hands on a value.
        public func receive(_ input: Input) -> Demand {
            handlers.withLock { $0 }?.value(input)
            return .none
        }

        /// Hands on the end.
        public func receive(completion: Completion<Failure>) {
            _ = state.exchange(.ended)
            handlers.exchange(nil)?.completion(completion)
        }

        /// Ends the values and frees the closures.
        public func cancel() {
            let last = state.exchange(.ended)
            _ = handlers.exchange(nil)
            if case .attached(let subscription) = last { subscription.cancel() }
        }
    }
}

extension Publisher {
    /// Hands values and their end to closures; they end with the returned activity.
    public func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void, receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        let sink = Subscribers.Sink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
        subscribe(sink)
        return AnyCancellable(sink)
    }
}

extension Publisher where Failure == Never {
    /// Hands values to a closure; they end with the returned activity.
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
        sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
    }

    /// Writes values to a property of an object, which is held until the end.
    public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable {
        sink { object[keyPath: keyPath] = $0 }
    }

    /// Writes values to a published property, for as long as that lives.
    public func assign(to published: inout Published<Output>.Publisher) { published.republish(self) }
}

extension Publishers {
    /// Publisher that tells closures what passes.
    public struct HandleEvents<Upstream: Publisher>: Publisher {
        /// Type of the values: the upstream's.
        public typealias Output = Upstream.Output
        /// Type of failure: the upstream's.
        public typealias Failure = Upstream.Failure
        /// Source of the values.
        public let upstream: Upstream
        /// Called with the subscription; nil for none, as the others.
        public var receiveSubscription: ((any Subscription) -> Void)?
        /// Called before each value.
        public var receiveOutput: ((Output) -> Void)?
        /// Called before the end.
        public var receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
        /// Called when the subscriber cancels.
        public var receiveCancel: (() -> Void)?
        /// Called when the subscriber asks for values beyond those it returns on a value.
        public var receiveRequest: ((Subscribers.Demand) -> Void)?

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let events = self
            upstream.subscribe(
                Attachment<Output, Failure>(
                    onSubscription: { subscription in
                        events.receiveSubscription?(subscription)
                        subscriber.receive(subscription: Told(subscription: subscription, events: events))
                    },
                    onValue: { value in
                        events.receiveOutput?(value)
                        return subscriber.receive(value)
                    },
                    onCompletion: { completion in
                        events.receiveCompletion?(completion)
                        subscriber.receive(completion: completion)
                    }))
        }

        private struct Told: Subscription {
            let subscription: any Subscription
            let events: HandleEvents

            func request(_ demand: Subscribers.Demand) {
                events.receiveRequest?(demand)
                subscription.request(demand)
            }
            func cancel() {
                events.receiveCancel?()
                subscription.cancel()
            }
        }
    }
}

extension Publisher {
    /// Tells closures what passes.
    public func handleEvents(
        receiveSubscription: ((any Subscription) -> Void)? = nil, receiveOutput: ((Output) -> Void)? = nil,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil, receiveCancel: (() -> Void)? = nil,
        receiveRequest: ((Subscribers.Demand) -> Void)? = nil
    ) -> Publishers.HandleEvents<Self> {
        Publishers.HandleEvents(
            upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput, receiveCompletion: receiveCompletion,
            receiveCancel: receiveCancel, receiveRequest: receiveRequest)
    }
}

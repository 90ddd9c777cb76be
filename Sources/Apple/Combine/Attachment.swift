/// Subscriber of closures.
struct Attachment<Input, Failure: Error>: Subscriber {
    let onSubscription: (any Subscription) -> Void
    let onValue: (Input) -> Subscribers.Demand
    let onCompletion: (Subscribers.Completion<Failure>) -> Void

    func receive(subscription: any Subscription) { onSubscription(subscription) }
    func receive(_ input: Input) -> Subscribers.Demand { onValue(input) }
    func receive(completion: Subscribers.Completion<Failure>) { onCompletion(completion) }
}

extension Attachment {
    /// Wraps a subscriber.
    init<S: Subscriber>(_ subscriber: S) where S.Input == Input, S.Failure == Failure {
        self.init(
            onSubscription: { subscriber.receive(subscription: $0) }, onValue: { subscriber.receive($0) },
            onCompletion: { subscriber.receive(completion: $0) })
    }
}

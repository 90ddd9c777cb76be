/// Receiver of a publisher's values.
public protocol Subscriber<Input, Failure> {
    /// Type of the values.
    associatedtype Input
    /// Type of the error that may end them.
    associatedtype Failure: Error
    /// Called once, first; the receiver asks for values through the subscription.
    func receive(subscription: any Subscription)
    /// Called for each value; returns the demand to add.
    func receive(_ input: Input) -> Subscribers.Demand
    /// Called once, last, unless the subscription was cancelled.
    func receive(completion: Subscribers.Completion<Failure>)
}

extension Subscriber where Input == Void {
    /// Receives an event without a value.
    public func receive() -> Subscribers.Demand { receive(()) }
}

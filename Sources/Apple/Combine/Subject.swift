/// Publisher that hands on what is sent to it.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
    /// Hands a value to every subscriber that asks for one.
    func send(_ value: Output)
    /// Ends the values.
    func send(completion: Subscribers.Completion<Failure>)
    /// Attaches a subscription that brings values.
    func send(subscription: any Subscription)
}

extension Subject where Output == Void {
    /// Sends an event without a value.
    public func send() { send(()) }
}

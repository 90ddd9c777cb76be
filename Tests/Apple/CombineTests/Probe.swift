import Combine
import Foundation

/// Subscriber that asks for as many values as a test says, and keeps what it hears.
final class Probe<Input, Failure: Error>: Subscriber {
    private(set) var values: [Input] = []
    private(set) var completion: Subscribers.Completion<Failure>?
    private(set) var subscription: (any Subscription)?
    private let initial: Subscribers.Demand
    /// Demand that each value adds.
    private let more: Subscribers.Demand

    init(_ initial: Subscribers.Demand = .unlimited, more: Subscribers.Demand = .none) {
        self.initial = initial
        self.more = more
    }

    func receive(subscription: any Subscription) {
        self.subscription = subscription
        subscription.request(initial)
    }
    func receive(_ input: Input) -> Subscribers.Demand {
        values.append(input)
        return more
    }
    func receive(completion: Subscribers.Completion<Failure>) { self.completion = completion }
}

struct Fault: Error, Equatable {}

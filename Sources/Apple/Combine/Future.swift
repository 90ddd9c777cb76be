/// Publisher of one result, which is worked out once and kept.
public final class Future<Output, Failure: Error>: Publisher {
    /// Called with the result.
    public typealias Promise = (Result<Output, Failure>) -> Void
    private let subject: CurrentValueSubject<Output?, Failure>

    /// Begins to work at once; the first call of the promise counts.
    public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
        let subject = CurrentValueSubject<Output?, Failure>(nil)
        self.subject = subject
        let isOpen = Guarded(true)
        attemptToFulfill { result in
            guard isOpen.exchange(false) else { return }
            switch result {
            case .success(let output): subject.send(output)
            case .failure(let error): subject.send(completion: .failure(error))
            }
        }
    }

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        subject.compactMap { $0 }.first().subscribe(subscriber)
    }
}

/// Publisher that is made anew for each subscriber.
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
    /// Type of the values.
    public typealias Output = DeferredPublisher.Output
    /// Type of failure.
    public typealias Failure = DeferredPublisher.Failure
    /// Maker of the publisher.
    public let createPublisher: () -> DeferredPublisher

    /// Makes a publisher of a closure.
    public init(createPublisher: @escaping () -> DeferredPublisher) { self.createPublisher = createPublisher }
    /// Attaches a subscriber to a new publisher.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        createPublisher().subscribe(subscriber)
    }
}

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

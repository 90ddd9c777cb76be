/// Values of a publisher without errors as an asynchronous sequence; each is asked for when somebody waits for it.
public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
    /// Type of the elements.
    public typealias Element = P.Output
    private let publisher: P

    /// Makes a sequence of a publisher's values.
    public init(_ publisher: P) { self.publisher = publisher }
    /// Attaches to the publisher.
    public func makeAsyncIterator() -> Iterator {
        let inbox = Inbox<P.Output, Never>()
        publisher.subscribe(inbox)
        return Iterator(inbox: inbox)
    }

    /// Iterator over the values, attached until it goes.
    public final class Iterator: AsyncIteratorProtocol {
        private let inbox: Inbox<P.Output, Never>

        init(inbox: Inbox<P.Output, Never>) { self.inbox = inbox }
        deinit { inbox.cancel() }

        /// Waits for the next value; nil after the end, and where the task is cancelled, which cancels the subscription.
        public func next() async -> P.Output? { await inbox.next()?.get() }
    }
}

extension Publisher {
    /// The values as an asynchronous sequence.
    public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }
}

extension Publisher where Failure == Never {
    /// The values as an asynchronous sequence.
    public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}

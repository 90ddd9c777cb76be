/// Values of a publisher as an asynchronous sequence; each is asked for when somebody waits for it.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
    /// Type of the elements.
    public typealias Element = P.Output
    private let publisher: P

    /// Makes a sequence of a publisher's values.
    public init(_ publisher: P) { self.publisher = publisher }
    /// Attaches to the publisher.
    public func makeAsyncIterator() -> Iterator {
        let inbox = Inbox<P.Output, P.Failure>()
        publisher.subscribe(inbox)
        return Iterator(inbox: inbox)
    }

    /// Iterator over the values, attached until it goes.
    public final class Iterator: AsyncIteratorProtocol {
        private let inbox: Inbox<P.Output, P.Failure>

        init(inbox: Inbox<P.Output, P.Failure>) { self.inbox = inbox }
        deinit { inbox.cancel() }

        /// Waits for the next value; nil after the end, and where the task is cancelled, which cancels the subscription.
        public func next() async throws -> P.Output? { try await inbox.next()?.get() }
    }
}

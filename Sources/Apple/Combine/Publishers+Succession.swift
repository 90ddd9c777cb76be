extension Publishers {
    /// Publisher of another one's values, and of a second one's when the first has finished.
    public struct Concatenate<Prefix: Publisher, Suffix: Publisher>: Publisher
    where Prefix.Failure == Suffix.Failure, Prefix.Output == Suffix.Output {
        /// Type of the values.
        public typealias Output = Suffix.Output
        /// Type of failure.
        public typealias Failure = Suffix.Failure
        /// Source of the first values.
        public let prefix: Prefix
        /// Source of the last values.
        public let suffix: Suffix

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let succession = Succession(subscriber)
            succession.follow(prefix) { [suffix] completion in
                if case .failure = completion { return succession.end(completion) }
                succession.follow(suffix) { succession.end($0) }
            }
        }
    }

    /// Publisher of another one's values, and of those of a replacement when that has failed.
    public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher where Upstream.Output == NewPublisher.Output {
        /// Type of the values.
        public typealias Output = Upstream.Output
        /// Type of failure: the replacement's.
        public typealias Failure = NewPublisher.Failure
        /// Source of the values.
        public let upstream: Upstream
        /// Replacement after an error.
        public let handler: (Upstream.Failure) -> NewPublisher

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let succession = Succession(subscriber)
            succession.follow(upstream) { [handler] completion in
                guard case .failure(let error) = completion else { return succession.end(.finished) }
                succession.follow(handler(error)) { succession.end($0) }
            }
        }
    }

    /// Publisher that begins another one anew when that has failed.
    public struct Retry<Upstream: Publisher>: Publisher {
        /// Type of the values.
        public typealias Output = Upstream.Output
        /// Type of failure: the upstream's.
        public typealias Failure = Upstream.Failure
        /// Source of the values.
        public let upstream: Upstream
        /// Greatest number of new beginnings; nil for any.
        public let retries: Int?

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            begin(Succession(subscriber), retries)
        }

        private func begin(_ succession: Succession<Output, Failure>, _ left: Int?) {
            succession.follow(upstream) { completion in
                guard case .failure = completion, left != 0 else { return succession.end(completion) }
                begin(succession, left.map { $0 - 1 })
            }
        }
    }
}

extension Publisher {
    /// Hands on values after its own.
    public func append<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<Self, P> where P.Failure == Failure, P.Output == Output {
        Publishers.Concatenate(prefix: self, suffix: publisher)
    }
    /// Hands on values after its own.
    public func append<S: Sequence>(_ elements: S) -> Publishers.Concatenate<Self, Publishers.Sequence<S, Failure>> where S.Element == Output {
        append(Publishers.Sequence(sequence: elements))
    }
    /// Hands on values after its own.
    public func append(_ elements: Output...) -> Publishers.Concatenate<Self, Publishers.Sequence<[Output], Failure>> { append(elements) }
    /// Hands on values ahead of its own.
    public func prepend<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<P, Self> where P.Failure == Failure, P.Output == Output {
        Publishers.Concatenate(prefix: publisher, suffix: self)
    }
    /// Hands on values ahead of its own.
    public func prepend<S: Sequence>(_ elements: S) -> Publishers.Concatenate<Publishers.Sequence<S, Failure>, Self> where S.Element == Output {
        prepend(Publishers.Sequence(sequence: elements))
    }
    /// Hands on values ahead of its own.
    public func prepend(_ elements: Output...) -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self> { prepend(elements) }
    /// Goes on with another publisher after an error.
    public func `catch`<P: Publisher>(_ handler: @escaping (Failure) -> P) -> Publishers.Catch<Self, P> where P.Output == Output {
        Publishers.Catch(upstream: self, handler: handler)
    }
    /// Begins anew after an error, a number of times.
    public func retry(_ retries: Int) -> Publishers.Retry<Self> { Publishers.Retry(upstream: self, retries: retries) }
}

extension Publishers {
    /// Publisher of one list at the end, of all values of another one.
    public struct Collect<Upstream: Publisher>: Publisher {
        /// Type of the value.
        public typealias Output = [Upstream.Output]
        /// Type of failure: the upstream's.
        public typealias Failure = Upstream.Failure
        /// Source of the values.
        public let upstream: Upstream

        /// Makes the publisher.
        public init(upstream: Upstream) { self.upstream = upstream }

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let values = Guarded<Output>([])
            let relay = Relay<Upstream.Output, Output, Failure, Failure>(subscriber) { completion in
                if case .failure = completion { return (nil, completion) }
                return (values.withLock { $0 }, completion)
            } _: { value in
                values.withLock { $0.append(value) }
                return .skip
            }
            upstream.subscribe(relay)
        }
    }

    /// Publisher of one value at the end, made of all those of another one.
    public struct Reduce<Upstream: Publisher, Output>: Publisher {
        /// Type of failure: the upstream's.
        public typealias Failure = Upstream.Failure
        /// Source of the values.
        public let upstream: Upstream
        /// Result before the first value.
        public let initial: Output
        /// Next result.
        public let nextPartialResult: (Output, Upstream.Output) -> Output

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let result = Guarded(initial)
            let relay = Relay<Upstream.Output, Output, Failure, Failure>(subscriber) { completion in
                if case .failure = completion { return (nil, completion) }
                return (result.withLock { $0 }, completion)
            } _: { [nextPartialResult] value in
                _ = result.exchange(nextPartialResult(result.withLock { $0 }, value))
                return .skip
            }
            upstream.subscribe(relay)
        }
    }

    /// Publisher of the first of another one's values.
    public struct Prefix<Upstream: Publisher>: Publisher {
        /// Type of the values.
        public typealias Output = Upstream.Output
        /// Type of failure: the upstream's.
        public typealias Failure = Upstream.Failure
        /// Source of the values.
        public let upstream: Upstream
        /// Greatest number of values.
        public let maxLength: Int

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            guard maxLength > 0 else {
                subscriber.receive(subscription: Subscriptions.empty)
                return subscriber.receive(completion: .finished)
            }
            let left = Guarded(maxLength)
            upstream.subscribe(
                Relay(subscriber) { value in
                    let isLast = left.withLock { left in
                        left -= 1
                        return left == 0
                    }
                    return isLast ? .end(value, .finished) : .send(value)
                })
        }
    }
}

extension Publisher {
    /// Joins all values to one, at the end.
    public func reduce<T>(_ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T) -> Publishers.Reduce<Self, T> {
        Publishers.Reduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
    }
    /// Collects all values, and hands on the list at the end.
    public func collect() -> Publishers.Collect<Self> { Publishers.Collect(upstream: self) }
    /// Hands on the first values and ends.
    public func prefix(_ maxLength: Int) -> Publishers.Prefix<Self> {
        precondition(maxLength >= 0, "prefix of \(maxLength) values: it must not be negative")
        return Publishers.Prefix(upstream: self, maxLength: maxLength)
    }
    /// Hands on the last value, at the end; none where there was none.
    public func last() -> Publishers.CompactMap<Publishers.Reduce<Self, Output?>, Output> { reduce(Output?.none) { $1 }.compactMap { $0 } }
}

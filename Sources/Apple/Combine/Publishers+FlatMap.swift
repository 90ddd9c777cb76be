extension Publishers {
    /// Publisher of the values of publishers, one for each value of another one.
    ///
    /// One value of each publisher waits until the subscriber asks for it.
    public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Publisher where NewPublisher.Failure == Upstream.Failure {
        /// Type of the values.
        public typealias Output = NewPublisher.Output
        /// Type of failure: the upstream's.
        public typealias Failure = Upstream.Failure
        /// Source of the publishers.
        public let upstream: Upstream
        /// Publishers at a time.
        public let maxPublishers: Subscribers.Demand
        /// Publisher for a value.
        public let transform: (Upstream.Output) -> NewPublisher

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let flattening = Flattening<Output, Failure>(Attachment(subscriber), limit: maxPublishers)
            upstream.map(transform).subscribe(flattening.outer(subscriber))
        }
    }

    /// Publisher of the values of the newest publisher that another one gave.
    public struct SwitchToLatest<P: Publisher, Upstream: Publisher>: Publisher where Upstream.Output == P, P.Failure == Upstream.Failure {
        /// Type of the values.
        public typealias Output = P.Output
        /// Type of failure: the upstream's.
        public typealias Failure = P.Failure
        /// Source of the publishers.
        public let upstream: Upstream

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let flattening = Flattening<Output, Failure>(Attachment(subscriber), limit: nil)
            upstream.subscribe(flattening.outer(subscriber))
        }
    }
}

extension Publisher {
    /// Joins the values of publishers, one for each value, `maxPublishers` of them at a time.
    public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<P, Self> where P.Failure == Failure {
        Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
    }
    /// Joins the values of publishers that cannot fail, one for each value.
    public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self> where P.Failure == Never {
        flatMap(maxPublishers: maxPublishers) { transform($0).setFailureType(to: Failure.self) }
    }
}

extension Publisher where Failure == Never {
    /// Joins the values of publishers, one for each value; they may fail where the values cannot.
    public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> {
        setFailureType(to: P.Failure.self).flatMap(maxPublishers: maxPublishers, transform)
    }
    /// Joins the values of publishers, one for each value; nothing can fail.
    public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<P, Self> where P.Failure == Never {
        Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
    }
}

extension Publisher where Output: Publisher, Output.Failure == Failure {
    /// Hands on the values of the newest publisher.
    public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> { Publishers.SwitchToLatest(upstream: self) }
}

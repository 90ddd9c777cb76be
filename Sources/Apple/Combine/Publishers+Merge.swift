extension Publishers {
    /// Publisher of several publishers' values as they come; it ends with the last of them, or with the first error.
    ///
    /// One value of each publisher waits until the subscriber asks for it.
    public struct MergeMany<Upstream: Publisher>: Publisher {
        /// Type of the values.
        public typealias Output = Upstream.Output
        /// Type of failure.
        public typealias Failure = Upstream.Failure
        /// Sources of the values.
        public let publishers: [Upstream]

        /// Makes a publisher of several.
        public init(_ upstream: Upstream...) { publishers = upstream }
        /// Makes a publisher of a sequence's.
        public init<S: Swift.Sequence>(_ upstream: S) where S.Element == Upstream { publishers = Array(upstream) }

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            Publishers.Sequence<[Upstream], Failure>(sequence: publishers).flatMap { $0 }.subscribe(subscriber)
        }
    }
}

extension Publisher {
    /// Joins the values of others of the same types.
    public func merge<P: Publisher>(with others: P...) -> Publishers.MergeMany<AnyPublisher<Output, Failure>>
    where P.Output == Output, P.Failure == Failure {
        Publishers.MergeMany([eraseToAnyPublisher()] + others.map { $0.eraseToAnyPublisher() })
    }
    /// Joins the values of two others.
    public func merge<B: Publisher, C: Publisher>(with b: B, _ c: C) -> Publishers.MergeMany<AnyPublisher<Output, Failure>>
    where B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure {
        Publishers.MergeMany([eraseToAnyPublisher(), b.eraseToAnyPublisher(), c.eraseToAnyPublisher()])
    }
    /// Joins the values of three others.
    public func merge<B: Publisher, C: Publisher, D: Publisher>(
        with b: B, _ c: C, _ d: D
    ) -> Publishers.MergeMany<AnyPublisher<Output, Failure>>
    where B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output, D.Failure == Failure {
        Publishers.MergeMany([eraseToAnyPublisher(), b.eraseToAnyPublisher(), c.eraseToAnyPublisher(), d.eraseToAnyPublisher()])
    }
}

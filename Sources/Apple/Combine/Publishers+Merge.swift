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

    /// Publisher of two publishers' values as they come.
    public struct Merge<A: Publisher, B: Publisher>: Publisher where A.Output == B.Output, A.Failure == B.Failure {
        /// Type of the values.
        public typealias Output = A.Output
        /// Type of failure.
        public typealias Failure = A.Failure
        private let all: MergeMany<AnyPublisher<Output, Failure>>

        /// Makes a publisher of two.
        public init(_ a: A, _ b: B) { all = MergeMany(a.eraseToAnyPublisher(), b.eraseToAnyPublisher()) }

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure { all.receive(subscriber: subscriber) }
    }

    /// Publisher of three publishers' values as they come.
    public struct Merge3<A: Publisher, B: Publisher, C: Publisher>: Publisher
    where A.Output == B.Output, A.Failure == B.Failure, B.Output == C.Output, B.Failure == C.Failure {
        /// Type of the values.
        public typealias Output = A.Output
        /// Type of failure.
        public typealias Failure = A.Failure
        private let all: MergeMany<AnyPublisher<Output, Failure>>

        /// Makes a publisher of three.
        public init(_ a: A, _ b: B, _ c: C) { all = MergeMany(a.eraseToAnyPublisher(), b.eraseToAnyPublisher(), c.eraseToAnyPublisher()) }

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure { all.receive(subscriber: subscriber) }
    }

    /// Publisher of four publishers' values as they come.
    public struct Merge4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
    where
        A.Output == B.Output, A.Failure == B.Failure, B.Output == C.Output, B.Failure == C.Failure, C.Output == D.Output, C.Failure == D.Failure
    {
        /// Type of the values.
        public typealias Output = A.Output
        /// Type of failure.
        public typealias Failure = A.Failure
        private let all: MergeMany<AnyPublisher<Output, Failure>>

        /// Makes a publisher of four.
        public init(_ a: A, _ b: B, _ c: C, _ d: D) {
            all = MergeMany(a.eraseToAnyPublisher(), b.eraseToAnyPublisher(), c.eraseToAnyPublisher(), d.eraseToAnyPublisher())
        }

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure { all.receive(subscriber: subscriber) }
    }
}

extension Publisher {
    /// Joins the values of another of the same types.
    public func merge<P: Publisher>(with other: P) -> Publishers.Merge<Self, P> where P.Output == Output, P.Failure == Failure {
        Publishers.Merge(self, other)
    }
    /// Joins the values of two others.
    public func merge<B: Publisher, C: Publisher>(with b: B, _ c: C) -> Publishers.Merge3<Self, B, C>
    where B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure {
        Publishers.Merge3(self, b, c)
    }
    /// Joins the values of three others.
    public func merge<B: Publisher, C: Publisher, D: Publisher>(with b: B, _ c: C, _ d: D) -> Publishers.Merge4<Self, B, C, D>
    where B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output, D.Failure == Failure {
        Publishers.Merge4(self, b, c, d)
    }
}

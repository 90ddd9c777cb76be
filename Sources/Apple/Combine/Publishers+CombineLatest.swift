extension Publishers {
    /// Publisher of the newest values of two others, from the time on when both have one; it ends with the last of them, or with the first error.
    ///
    /// Values that the subscriber did not ask for are left out.
    public struct CombineLatest<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
        /// Type of the values.
        public typealias Output = (A.Output, B.Output)
        /// Type of failure.
        public typealias Failure = A.Failure
        /// First source.
        public let a: A
        /// Second source.
        public let b: B

        /// Makes a publisher of two.
        public init(_ a: A, _ b: B) {
            self.a = a
            self.b = b
        }

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let pairing = Pairing<A.Output, B.Output, Failure>(Attachment(subscriber), isZip: false)
            subscriber.receive(subscription: pairing)
            a.subscribe(pairing.first)
            b.subscribe(pairing.second)
        }
    }
}

extension Publisher {
    /// Joins the newest values of another publisher.
    public func combineLatest<P: Publisher>(_ other: P) -> Publishers.CombineLatest<Self, P> where P.Failure == Failure {
        Publishers.CombineLatest(self, other)
    }
    /// Joins the newest values of another publisher, and replaces them.
    public func combineLatest<P: Publisher, T>(
        _ other: P, _ transform: @escaping (Output, P.Output) -> T
    ) -> Publishers.Map<Publishers.CombineLatest<Self, P>, T> where P.Failure == Failure {
        combineLatest(other).map { transform($0.0, $0.1) }
    }
    /// Joins the newest values of two others.
    public func combineLatest<P: Publisher, Q: Publisher>(_ b: P, _ c: Q) -> Publishers.CombineLatest3<Self, P, Q>
    where P.Failure == Failure, Q.Failure == Failure { Publishers.CombineLatest3(self, b, c) }
    /// Joins the newest values of three others.
    public func combineLatest<P: Publisher, Q: Publisher, R: Publisher>(
        _ b: P, _ c: Q, _ d: R
    ) -> Publishers.CombineLatest4<Self, P, Q, R> where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
        Publishers.CombineLatest4(self, b, c, d)
    }
}

extension Publishers {
    /// Publisher of the newest values of three others.
    public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: Publisher where A.Failure == B.Failure, B.Failure == C.Failure {
        /// Type of the values.
        public typealias Output = (A.Output, B.Output, C.Output)
        /// Type of failure.
        public typealias Failure = A.Failure
        private let joined: Map<CombineLatest<CombineLatest<A, B>, C>, Output>

        /// Makes a publisher of three.
        public init(_ a: A, _ b: B, _ c: C) { joined = CombineLatest(CombineLatest(a, b), c).map { ($0.0.0, $0.0.1, $0.1) } }
        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure { joined.receive(subscriber: subscriber) }
    }

    /// Publisher of the newest values of four others.
    public struct CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
    where A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure {
        /// Type of the values.
        public typealias Output = (A.Output, B.Output, C.Output, D.Output)
        /// Type of failure.
        public typealias Failure = A.Failure
        private let joined: Map<CombineLatest<CombineLatest3<A, B, C>, D>, Output>

        /// Makes a publisher of four.
        public init(_ a: A, _ b: B, _ c: C, _ d: D) {
            joined = CombineLatest(CombineLatest3(a, b, c), d).map { ($0.0.0, $0.0.1, $0.0.2, $0.1) }
        }
        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure { joined.receive(subscriber: subscriber) }
    }
}

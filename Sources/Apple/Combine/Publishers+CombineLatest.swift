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
    public func combineLatest<P: Publisher, Q: Publisher>(_ b: P, _ c: Q) -> AnyPublisher<(Output, P.Output, Q.Output), Failure>
    where P.Failure == Failure, Q.Failure == Failure {
        combineLatest(b).combineLatest(c).map { ($0.0.0, $0.0.1, $0.1) }.eraseToAnyPublisher()
    }
    /// Joins the newest values of three others.
    public func combineLatest<P: Publisher, Q: Publisher, R: Publisher>(
        _ b: P, _ c: Q, _ d: R
    ) -> AnyPublisher<(Output, P.Output, Q.Output, R.Output), Failure> where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
        combineLatest(b, c).combineLatest(d).map { ($0.0.0, $0.0.1, $0.0.2, $0.1) }.eraseToAnyPublisher()
    }
}

extension Publishers {
    /// Publisher of pairs of two others' values in their order; it ends with the first of them that has no further value.
    public struct Zip<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
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
            let pairing = Pairing<A.Output, B.Output, Failure>(Attachment(subscriber), isZip: true)
            subscriber.receive(subscription: pairing)
            a.subscribe(pairing.first)
            b.subscribe(pairing.second)
        }
    }
}

extension Publisher {
    /// Pairs the values with those of another publisher.
    public func zip<P: Publisher>(_ other: P) -> Publishers.Zip<Self, P> where P.Failure == Failure { Publishers.Zip(self, other) }
}

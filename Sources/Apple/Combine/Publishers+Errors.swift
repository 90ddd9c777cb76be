extension Publishers {
    /// Publisher with another error.
    public struct MapError<Upstream: Publisher, Failure: Error>: Publisher {
        /// Type of the values: the upstream's.
        public typealias Output = Upstream.Output
        /// Source of the values.
        public let upstream: Upstream
        /// Replacement of the error.
        public let transform: (Upstream.Failure) -> Failure

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let relay = Relay<Output, Output, Upstream.Failure, Failure>(subscriber) { [transform] in
                (nil, $0.mapError(transform))
            } _: {
                .send($0)
            }
            upstream.subscribe(relay)
        }
    }

    /// Publisher that cannot fail, with a type of failure.
    public struct SetFailureType<Upstream: Publisher, Failure: Error>: Publisher where Upstream.Failure == Never {
        /// Type of the values: the upstream's.
        public typealias Output = Upstream.Output
        /// Source of the values.
        public let upstream: Upstream

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(
                Relay<Output, Output, Never, Failure>(subscriber) { _ in
                    (nil, .finished)
                } _: {
                    .send($0)
                })
        }
    }

    /// Publisher that ends with a value where another one ends with an error.
    public struct ReplaceError<Upstream: Publisher>: Publisher {
        /// Type of the values: the upstream's.
        public typealias Output = Upstream.Output
        /// Type of failure: none.
        public typealias Failure = Never
        /// Source of the values.
        public let upstream: Upstream
        /// Last value, in place of an error.
        public let output: Output

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
            let relay = Relay<Output, Output, Upstream.Failure, Never>(subscriber) { [output] completion in
                if case .failure = completion { return (output, .finished) }
                return (nil, .finished)
            } _: {
                .send($0)
            }
            upstream.subscribe(relay)
        }
    }
}

extension Publisher {
    /// Replaces the error.
    public func mapError<E: Error>(_ transform: @escaping (Failure) -> E) -> Publishers.MapError<Self, E> {
        Publishers.MapError(upstream: self, transform: transform)
    }
    /// Ends with a value instead of an error.
    public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> { Publishers.ReplaceError(upstream: self, output: output) }
}

extension Publisher where Failure == Never {
    /// Gives a publisher that cannot fail a type of failure.
    public func setFailureType<E: Error>(to failureType: E.Type) -> Publishers.SetFailureType<Self, E> {
        Publishers.SetFailureType(upstream: self)
    }
}

extension Publishers {
    /// Publisher of another one's values, each replaced.
    public struct Map<Upstream: Publisher, Output>: Publisher {
        /// Type of failure: the upstream's.
        public typealias Failure = Upstream.Failure
        /// Source of the values.
        public let upstream: Upstream
        /// Replacement of a value.
        public let transform: (Upstream.Output) -> Output

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(Relay(subscriber) { [transform] in .send(transform($0)) })
        }
    }

    /// Publisher of another one's values, each replaced by a closure that may end them with an error.
    public struct TryMap<Upstream: Publisher, Output>: Publisher {
        /// Type of failure: any.
        public typealias Failure = any Error
        /// Source of the values.
        public let upstream: Upstream
        /// Replacement of a value.
        public let transform: (Upstream.Output) throws -> Output

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == any Error {
            let relay = Relay<Upstream.Output, Output, Upstream.Failure, any Error>(subscriber) {
                (nil, $0.mapError { $0 })
            } _: { [transform] in
                do { return .send(try transform($0)) } catch { return .end(nil, .failure(error)) }
            }
            upstream.subscribe(relay)
        }
    }

    /// Publisher of those replacements that are not nil.
    public struct CompactMap<Upstream: Publisher, Output>: Publisher {
        /// Type of failure: the upstream's.
        public typealias Failure = Upstream.Failure
        /// Source of the values.
        public let upstream: Upstream
        /// Replacement of a value; nil leaves it out.
        public let transform: (Upstream.Output) -> Output?

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(Relay(subscriber) { [transform] in transform($0).map { .send($0) } ?? .skip })
        }
    }

    /// Publisher of results, each made of the one before and a value.
    public struct Scan<Upstream: Publisher, Output>: Publisher {
        /// Type of failure: the upstream's.
        public typealias Failure = Upstream.Failure
        /// Source of the values.
        public let upstream: Upstream
        /// Result before the first value.
        public let initialResult: Output
        /// Next result.
        public let nextPartialResult: (Output, Upstream.Output) -> Output

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let result = Guarded(initialResult)
            upstream.subscribe(
                Relay(subscriber) { [nextPartialResult] value in
                    let next = nextPartialResult(result.withLock { $0 }, value)
                    _ = result.exchange(next)
                    return .send(next)
                })
        }
    }
}

extension Publisher {
    /// Replaces each value.
    public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Self, T> { Publishers.Map(upstream: self, transform: transform) }
    /// Replaces each value by that of one of its properties.
    public func map<T>(_ keyPath: KeyPath<Output, T>) -> Publishers.Map<Self, T> { map { $0[keyPath: keyPath] } }
    /// Replaces each value, or ends them with an error.
    public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Self, T> {
        Publishers.TryMap(upstream: self, transform: transform)
    }
    /// Replaces each value, and leaves those out whose replacement is nil.
    public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Self, T> {
        Publishers.CompactMap(upstream: self, transform: transform)
    }
    /// Joins each value to the result so far.
    public func scan<T>(_ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T) -> Publishers.Scan<Self, T> {
        Publishers.Scan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
    }
    /// Replaces nil.
    public func replaceNil<T>(with output: T) -> Publishers.Map<Self, T> where Output == T? { map { $0 ?? output } }
}

extension Publishers {
    /// Publisher of the values that meet a condition.
    public struct Filter<Upstream: Publisher>: Publisher {
        /// Type of the values: the upstream's.
        public typealias Output = Upstream.Output
        /// Type of failure: the upstream's.
        public typealias Failure = Upstream.Failure
        /// Source of the values.
        public let upstream: Upstream
        /// Condition.
        public let isIncluded: (Output) -> Bool

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(Relay(subscriber) { [isIncluded] in isIncluded($0) ? .send($0) : .skip })
        }
    }

    /// Publisher of the values that differ from the one before.
    public struct RemoveDuplicates<Upstream: Publisher>: Publisher {
        /// Type of the values: the upstream's.
        public typealias Output = Upstream.Output
        /// Type of failure: the upstream's.
        public typealias Failure = Upstream.Failure
        /// Source of the values.
        public let upstream: Upstream
        /// Whether two values count as equal.
        public let predicate: (Output, Output) -> Bool

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let last = Guarded<Output?>(nil)
            upstream.subscribe(
                Relay(subscriber) { [predicate] value in
                    let before = last.exchange(value)
                    return before.map { predicate($0, value) } == true ? .skip : .send(value)
                })
        }
    }

    /// Publisher without the first values.
    public struct Drop<Upstream: Publisher>: Publisher {
        /// Type of the values: the upstream's.
        public typealias Output = Upstream.Output
        /// Type of failure: the upstream's.
        public typealias Failure = Upstream.Failure
        /// Source of the values.
        public let upstream: Upstream
        /// Number of values to leave out, 0 or more.
        public let count: Int

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let left = Guarded(count)
            upstream.subscribe(
                Relay(subscriber) { value in
                    let isLeftOut = left.withLock { left in
                        left -= 1
                        return left >= 0
                    }
                    return isLeftOut ? .skip : .send(value)
                })
        }
    }

    /// Publisher that ends with the first value that meets a condition.
    public struct FirstWhere<Upstream: Publisher>: Publisher {
        /// Type of the values: the upstream's.
        public typealias Output = Upstream.Output
        /// Type of failure: the upstream's.
        public typealias Failure = Upstream.Failure
        /// Source of the values.
        public let upstream: Upstream
        /// Condition.
        public let predicate: (Output) -> Bool

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(Relay(subscriber) { [predicate] in predicate($0) ? .end($0, .finished) : .skip })
        }
    }
}

extension Publisher {
    /// Leaves out values that do not meet a condition.
    public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Self> {
        Publishers.Filter(upstream: self, isIncluded: isIncluded)
    }
    /// Leaves out values that count as equal to the one before.
    public func removeDuplicates(by predicate: @escaping (Output, Output) -> Bool) -> Publishers.RemoveDuplicates<Self> {
        Publishers.RemoveDuplicates(upstream: self, predicate: predicate)
    }
    /// Leaves out the first values.
    public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> {
        precondition(count >= 0, "dropFirst of \(count) values: it must not be negative")
        return Publishers.Drop(upstream: self, count: count)
    }
    /// Ends with the first value that meets a condition.
    public func first(where predicate: @escaping (Output) -> Bool) -> Publishers.FirstWhere<Self> {
        Publishers.FirstWhere(upstream: self, predicate: predicate)
    }
    /// Ends with the first value.
    public func first() -> Publishers.FirstWhere<Self> { first { _ in true } }
}

extension Publisher where Output: Equatable {
    /// Leaves out values that are equal to the one before.
    public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> { removeDuplicates(by: ==) }
}

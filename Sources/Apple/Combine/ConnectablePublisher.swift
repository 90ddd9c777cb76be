/// Publisher that begins when it is told to.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
    /// Begins; the values end when the returned activity is cancelled.
    func connect() -> any Cancellable
}

extension ConnectablePublisher {
    /// Begins with the first subscriber, and ends with the last.
    public func autoconnect() -> Publishers.Autoconnect<Self> { Publishers.Autoconnect(upstream: self) }
}

extension Publishers {
    /// Publisher that hands the values of another one to several subscribers through one subject.
    public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher
    where Upstream.Failure == SubjectType.Failure, Upstream.Output == SubjectType.Output {
        /// Type of the values.
        public typealias Output = Upstream.Output
        /// Type of failure: the upstream's.
        public typealias Failure = Upstream.Failure
        /// Source of the values.
        public let upstream: Upstream
        private let subject: SubjectType

        init(upstream: Upstream, subject: SubjectType) {
            self.upstream = upstream
            self.subject = subject
        }

        /// Attaches a subscriber to the subject.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure { subject.subscribe(subscriber) }
        /// Attaches the subject to the source.
        public func connect() -> any Cancellable { upstream.subscribe(subject) }
    }

    /// Publisher that begins another one with its first subscriber, and ends it with the last.
    public final class Autoconnect<Upstream: ConnectablePublisher>: Publisher {
        /// Type of the values.
        public typealias Output = Upstream.Output
        /// Type of failure: the upstream's.
        public typealias Failure = Upstream.Failure
        /// Source of the values.
        public let upstream: Upstream
        private let state = Guarded(State())

        private struct State {
            var subscribers = 0
            var connection: (any Cancellable)?
        }

        init(upstream: Upstream) { self.upstream = upstream }

        /// Attaches a subscriber, and begins where it is the first.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let isFirst = state.withLock { state in
                state.subscribers += 1
                return state.subscribers == 1
            }
            upstream.handleEvents(receiveCompletion: { _ in self.leave() }, receiveCancel: { self.leave() }).subscribe(subscriber)
            guard isFirst else { return }
            let connection = upstream.connect()
            let isWanted = state.withLock { state in
                if state.subscribers > 0 { state.connection = connection }
                return state.subscribers > 0
            }
            if !isWanted { connection.cancel() }
        }

        private func leave() {
            let connection = state.withLock { state -> (any Cancellable)? in
                state.subscribers -= 1
                guard state.subscribers == 0 else { return nil }
                defer { state.connection = nil }
                return state.connection
            }
            connection?.cancel()
        }
    }
}

extension Publisher {
    /// Hands the values to several subscribers through one subject, from when it is told to.
    public func multicast<S: Subject>(subject: S) -> Publishers.Multicast<Self, S> where S.Failure == Failure, S.Output == Output {
        Publishers.Multicast(upstream: self, subject: subject)
    }
    /// Hands the values to several subscribers, from the first on; later ones miss what was before.
    public func share() -> Publishers.Autoconnect<Publishers.Multicast<Self, PassthroughSubject<Output, Failure>>> {
        multicast(subject: PassthroughSubject()).autoconnect()
    }
}

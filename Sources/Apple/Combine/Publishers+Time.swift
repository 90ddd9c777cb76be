extension Publishers {
    /// Publisher that hands on values and the end on a scheduler.
    public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher {
        /// Type of the values.
        public typealias Output = Upstream.Output
        /// Type of failure.
        public typealias Failure = Upstream.Failure
        /// Source of the values.
        public let upstream: Upstream
        /// Scheduler.
        public let scheduler: Context
        /// Delay; nil for none.
        let delay: Context.SchedulerTimeType.Stride?

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let gate = Gate(Attachment(subscriber))
            func later(_ action: @escaping () -> Void) {
                if let delay { scheduler.schedule(after: scheduler.now.advanced(by: delay), action) } else { scheduler.schedule(action) }
            }
            upstream.subscribe(
                Attachment<Output, Failure>(
                    onSubscription: { gate.open($0, subscriber) },
                    onValue: { value in
                        later { gate.request(gate.send(value)) }
                        return .none
                    },
                    onCompletion: { completion in later { gate.end(completion) } }))
        }
    }

    /// Publisher of a value after a pause without another; an end drops the value that waits.
    public struct Debounce<Upstream: Publisher, Context: Scheduler>: Publisher {
        /// Type of the values.
        public typealias Output = Upstream.Output
        /// Type of failure.
        public typealias Failure = Upstream.Failure
        /// Source of the values.
        public let upstream: Upstream
        /// Length of the pause.
        public let dueTime: Context.SchedulerTimeType.Stride
        /// Scheduler.
        public let scheduler: Context

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let (gate, number) = (Gate(Attachment(subscriber)), Guarded(0))
            let (scheduler, dueTime) = (scheduler, dueTime)
            func next() -> Int {
                number.withLock { number in
                    number += 1
                    return number
                }
            }
            upstream.subscribe(
                Attachment<Output, Failure>(
                    onSubscription: { gate.openUnlimited($0, subscriber) },
                    onValue: { value in
                        let own = next()
                        scheduler.schedule(after: scheduler.now.advanced(by: dueTime)) {
                            if number.withLock({ $0 }) == own { gate.offer(value) }
                        }
                        return .none
                    },
                    onCompletion: { completion in
                        _ = next()
                        scheduler.schedule { gate.end(completion) }
                    }))
        }
    }

    /// Publisher of the first value at once, and then of the newest or the first of each interval.
    public struct Throttle<Upstream: Publisher, Context: Scheduler>: Publisher {
        /// Type of the values.
        public typealias Output = Upstream.Output
        /// Type of failure.
        public typealias Failure = Upstream.Failure
        /// Source of the values.
        public let upstream: Upstream
        /// Length of an interval.
        public let interval: Context.SchedulerTimeType.Stride
        /// Scheduler.
        public let scheduler: Context
        /// Whether an interval gives its newest value, not its first.
        public let latest: Bool

        private struct Held {
            var value: Output?
            var last: Context.SchedulerTimeType?
            var isScheduled = false
        }

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let (gate, held) = (Gate(Attachment(subscriber)), Guarded(Held()))
            let (scheduler, interval, latest) = (scheduler, interval, latest)
            func release() {
                let value = held.withLock { held in
                    held.isScheduled = false
                    held.last = scheduler.now
                    return held.value.take()
                }
                if let value { gate.offer(value) }
            }
            upstream.subscribe(
                Attachment<Output, Failure>(
                    onSubscription: { gate.openUnlimited($0, subscriber) },
                    onValue: { value in
                        let due = held.withLock { held -> (isNew: Bool, date: Context.SchedulerTimeType?) in
                            if latest || held.value == nil { held.value = value }
                            defer { held.isScheduled = true }
                            return (!held.isScheduled, held.last.map { $0.advanced(by: interval) })
                        }
                        guard due.isNew else { return .none }
                        if let date = due.date, date > scheduler.now {
                            scheduler.schedule(after: date, release)
                        } else {
                            scheduler.schedule(release)
                        }
                        return .none
                    },
                    onCompletion: { completion in
                        scheduler.schedule {
                            release()
                            gate.end(completion)
                        }
                    }))
        }
    }
}

extension Publisher {
    /// Hands on values and the end on a scheduler.
    public func receive<S: Scheduler>(on scheduler: S, options: S.SchedulerOptions? = nil) -> Publishers.ReceiveOn<Self, S> {
        Publishers.ReceiveOn(upstream: self, scheduler: scheduler, delay: nil)
    }
    /// Hands on values and the end later by a length of time.
    public func delay<S: Scheduler>(
        for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Publishers.ReceiveOn<Self, S> {
        Publishers.ReceiveOn(upstream: self, scheduler: scheduler, delay: interval)
    }
    /// Hands on a value after a pause without another.
    public func debounce<S: Scheduler>(
        for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Publishers.Debounce<Self, S> {
        Publishers.Debounce(upstream: self, dueTime: dueTime, scheduler: scheduler)
    }
    /// Hands on one value an interval.
    public func throttle<S: Scheduler>(for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool) -> Publishers.Throttle<Self, S> {
        Publishers.Throttle(upstream: self, interval: interval, scheduler: scheduler, latest: latest)
    }
}

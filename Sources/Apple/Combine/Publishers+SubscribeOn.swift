extension Publishers {
    /// Publisher that subscribes, asks for values and cancels on a scheduler; values come where the source sends them.
    public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: Publisher {
        /// Type of the values: the upstream's.
        public typealias Output = Upstream.Output
        /// Type of failure: the upstream's.
        public typealias Failure = Upstream.Failure
        /// Source of the values.
        public let upstream: Upstream
        /// Scheduler.
        public let scheduler: Context

        /// Attaches a subscriber, later.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let (upstream, scheduler) = (upstream, scheduler)
            scheduler.schedule {
                upstream.subscribe(
                    Attachment<Output, Failure>(
                        onSubscription: { subscriber.receive(subscription: Moved(subscription: $0, scheduler: scheduler)) },
                        onValue: { subscriber.receive($0) }, onCompletion: { subscriber.receive(completion: $0) }))
            }
        }

        private struct Moved: Subscription {
            let subscription: any Subscription
            let scheduler: Context

            func request(_ demand: Subscribers.Demand) { scheduler.schedule { subscription.request(demand) } }
            func cancel() { scheduler.schedule { subscription.cancel() } }
        }
    }
}

extension Publisher {
    /// Subscribes on a scheduler: what a subject sends before that is lost.
    public func subscribe<S: Scheduler>(on scheduler: S, options: S.SchedulerOptions? = nil) -> Publishers.SubscribeOn<Self, S> {
        Publishers.SubscribeOn(upstream: self, scheduler: scheduler)
    }
}

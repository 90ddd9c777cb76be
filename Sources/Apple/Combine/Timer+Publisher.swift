import Foundation

extension Timer {
    /// Publisher of the date at every interval, from when it is told to begin; `tolerance` and `options` are ignored.
    public static func publish(
        every interval: TimeInterval, tolerance: TimeInterval? = nil, on runLoop: RunLoop, in mode: RunLoop.Mode,
        options: RunLoop.SchedulerOptions? = nil
    ) -> TimerPublisher {
        TimerPublisher(interval: interval, tolerance: tolerance, runLoop: runLoop, mode: mode, options: options)
    }

    /// Publisher of the date at every interval, on the thread of a run loop while that runs.
    public final class TimerPublisher: ConnectablePublisher {
        /// Type of the values.
        public typealias Output = Date
        /// Type of failure: none.
        public typealias Failure = Never
        /// Interval in seconds.
        public let interval: TimeInterval
        /// Tolerance in seconds; kept.
        public let tolerance: TimeInterval?
        /// Loop that runs the timer.
        public let runLoop: RunLoop
        /// Mode of the loop.
        public let mode: RunLoop.Mode
        /// Wishes for the timer: none are heeded.
        public let options: RunLoop.SchedulerOptions?
        private let hub = Hub<Date, Never>()

        /// Makes a publisher of dates.
        public init(
            interval: TimeInterval, tolerance: TimeInterval? = nil, runLoop: RunLoop, mode: RunLoop.Mode, options: RunLoop.SchedulerOptions? = nil
        ) {
            self.interval = interval
            self.tolerance = tolerance
            self.runLoop = runLoop
            self.mode = mode
            self.options = options
        }

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Date, S.Failure == Never { hub.attach(subscriber, latest: nil) }

        /// Starts a timer, which lasts until the returned activity is cancelled.
        public func connect() -> any Cancellable {
            let timer = Timer(timeInterval: interval, repeats: true) { [hub] _ in hub.send(Date()) }
            runLoop.add(timer, forMode: mode)
            let carried = Carried(value: timer)
            return AnyCancellable { carried.value.invalidate() }
        }
    }
}

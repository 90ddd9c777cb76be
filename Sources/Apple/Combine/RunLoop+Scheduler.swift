import Foundation

extension RunLoop: Scheduler {
    /// Point in time of a run loop.
    public struct SchedulerTimeType: Strideable, Hashable, Sendable {
        /// Length of time in seconds.
        public typealias Stride = SchedulerSeconds
        /// The point.
        public var date: Date

        /// Makes a point.
        public init(_ date: Date) { self.date = date }
        /// Distance to another point in seconds.
        public func distance(to other: SchedulerTimeType) -> Stride { Stride(other.date.timeIntervalSince(date)) }
        /// A point that far away.
        public func advanced(by n: Stride) -> SchedulerTimeType { SchedulerTimeType(date + n.timeInterval) }
    }

    /// Wishes for a closure: none are heeded.
    public struct SchedulerOptions {}
    /// The time now.
    public var now: SchedulerTimeType { SchedulerTimeType(Date()) }
    /// Least tolerance: zero.
    public var minimumTolerance: SchedulerTimeType.Stride { 0 }

    /// Runs a closure on the loop's thread while that runs the loop.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let carried = Carried(scheduled: action)
        perform { carried.value() }
    }

    /// Runs a closure on the loop's thread at a time.
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?, _ action: @escaping () -> Void
    ) {
        let carried = Carried(scheduled: action)
        add(Timer(fire: date.date, interval: 0, repeats: false) { _ in carried.value() }, forMode: .default)
    }
}

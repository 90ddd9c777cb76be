/// Scheduler that runs closures at once, on the caller's thread.
public struct ImmediateScheduler: Scheduler, Sendable {
    /// Point in time; all are the same.
    public struct SchedulerTimeType: Strideable {
        /// Length of time, always zero.
        public typealias Stride = SchedulerSeconds
        /// Distance to another point: zero.
        public func distance(to other: SchedulerTimeType) -> Stride { 0 }
        /// The same point.
        public func advanced(by n: Stride) -> SchedulerTimeType { self }
    }

    /// Wishes: none.
    public typealias SchedulerOptions = Never
    /// The scheduler.
    public static let shared = ImmediateScheduler()
    /// The time now.
    public var now: SchedulerTimeType { SchedulerTimeType() }
    /// Least tolerance: zero.
    public var minimumTolerance: SchedulerTimeType.Stride { 0 }
    /// Runs a closure at once.
    public func schedule(options: Never?, _ action: @escaping () -> Void) { action() }
    /// Runs a closure at once, whatever the time.
    public func schedule(after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void) {
        action()
    }
}

/// Place and time at which closures run.
public protocol Scheduler<SchedulerTimeType> {
    /// Point in time.
    associatedtype SchedulerTimeType: Strideable where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible
    /// Wishes for a closure.
    associatedtype SchedulerOptions
    /// The time now.
    var now: SchedulerTimeType { get }
    /// Least tolerance of a time.
    var minimumTolerance: SchedulerTimeType.Stride { get }
    /// Runs a closure soon.
    func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void)
    /// Runs a closure at a time.
    func schedule(after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?, _ action: @escaping () -> Void)
}

extension Scheduler {
    /// Runs a closure soon.
    public func schedule(_ action: @escaping () -> Void) { schedule(options: nil, action) }
    /// Runs a closure at a time.
    public func schedule(after date: SchedulerTimeType, _ action: @escaping () -> Void) {
        schedule(after: date, tolerance: minimumTolerance, options: nil, action)
    }
}

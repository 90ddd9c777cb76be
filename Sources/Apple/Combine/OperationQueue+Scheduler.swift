import Foundation

extension OperationQueue: Scheduler {
    /// Point in time of an operation queue: a run loop's.
    public typealias SchedulerTimeType = RunLoop.SchedulerTimeType

    /// Wishes for a closure: none are heeded.
    public struct SchedulerOptions {}
    /// The time now.
    public var now: SchedulerTimeType { SchedulerTimeType(Date()) }
    /// Least tolerance: zero.
    public var minimumTolerance: SchedulerTimeType.Stride { 0 }

    /// Runs a closure as an operation.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let carried = Carried(scheduled: action)
        addOperation { carried.value() }
    }

    /// Runs a closure as an operation that is added at a time.
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?, _ action: @escaping () -> Void
    ) {
        let carried = Carried(scheduled: action)
        // A wall time counts nanoseconds in 63 bits.
        let (seconds, part) = modf(min(max(0, date.date.timeIntervalSince1970), 9e9))
        let due = DispatchWallTime(timespec: timespec(tv_sec: Int(seconds), tv_nsec: Int(part * 1e9)))
        Self.timers.asyncAfter(wallDeadline: due) { self.addOperation { carried.value() } }
    }

    /// Adds operations one after another: on a concurrent queue the end of the values could overtake the last of them.
    private static let timers = DispatchQueue(label: "rackfocus.combine.operations")
}

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
        let carried = Carried(value: action)
        addOperation { carried.value() }
    }

    /// Runs a closure as an operation that is added at a time.
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?, _ action: @escaping () -> Void
    ) {
        let carried = Carried(value: action)
        let wait = max(0, now.distance(to: date).timeInterval)
        DispatchQueue.global().asyncAfter(deadline: .now() + wait) { self.addOperation { carried.value() } }
    }
}

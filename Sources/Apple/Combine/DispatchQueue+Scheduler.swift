import Dispatch
import Foundation

extension DispatchQueue: Scheduler {
    /// Point in time of a queue.
    public struct SchedulerTimeType: Strideable, Hashable, Sendable {
        /// Length of time in seconds.
        public typealias Stride = SchedulerSeconds
        /// The point for `asyncAfter`.
        public var dispatchTime: DispatchTime

        /// Makes a point.
        public init(_ time: DispatchTime) { dispatchTime = time }
        /// Distance to another point in seconds.
        public func distance(to other: SchedulerTimeType) -> Stride {
            let (from, to) = (dispatchTime.uptimeNanoseconds, other.dispatchTime.uptimeNanoseconds)
            return Stride(to >= from ? Double(to - from) / 1e9 : -Double(from - to) / 1e9)
        }
        /// A point that far away.
        public func advanced(by n: Stride) -> SchedulerTimeType { SchedulerTimeType(dispatchTime + n.timeInterval) }
        /// Feeds the point.
        public func hash(into hasher: inout Hasher) { hasher.combine(dispatchTime.uptimeNanoseconds) }
    }

    /// Wishes for a closure: none are heeded.
    public struct SchedulerOptions {
        /// Makes wishes.
        public init() {}
    }

    /// The time now.
    public var now: SchedulerTimeType { SchedulerTimeType(.now()) }
    /// Least tolerance: zero.
    public var minimumTolerance: SchedulerTimeType.Stride { 0 }

    /// Runs a closure on the queue.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let carried = Carried(scheduled: action)
        async { carried.value() }
    }

    /// Runs a closure on the queue at a time.
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?, _ action: @escaping () -> Void
    ) {
        let carried = Carried(scheduled: action)
        asyncAfter(deadline: date.dispatchTime) { carried.value() }
    }
}
